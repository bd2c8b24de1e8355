import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/currencies';
import { MinorColumn } from '../../core/money/minor-column';
import type { PaymentStatus } from './payments.states';
import type { Customer, GatewayPage, PaymentAcceptance, PaymentFailure, StoredReversal } from './payments.types';

/** Names between spaces. */
const names = {
  to: (list: readonly string[]) => list.join(' '),
  from: (text: string) => text.split(' ').filter(Boolean),
};

/** Money that somebody is asked to pay into a wallet. Amounts in minor units; times are those of the account's clock. */
@Entity('payments')
export class Payment {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  status: PaymentStatus;

  @MinorColumn()
  amount: bigint;

  @MinorColumn()
  fee: bigint;

  @Column('text')
  currency: Currency;

  /** Credited with amount − fee. */
  @Column('uuid', { name: 'wallet_id' })
  walletId: string;

  /** Between which the payer may choose, in order. */
  @Column('text', { transformer: names })
  gateways: string[];

  /** What filters set, by gateway. */
  @Column('jsonb')
  options: Record<string, Readonly<Record<string, unknown>>>;

  /** The one that was chosen; from then on it stays. */
  @Column('text', { nullable: true })
  gateway: string | null;

  /** The gateway's own id, once it opened an order. */
  @Column('text', { name: 'gateway_reference', nullable: true })
  gatewayReference: string | null;

  /** Where, or by which instructions, the payer goes on; null until the gateway said so. */
  @Column('jsonb', { nullable: true })
  page: GatewayPage | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb', { nullable: true })
  customer: Customer | null;

  @Column('text', { name: 'callback_url', nullable: true })
  callbackUrl: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Where the fee comes from, and what extensions changed of it and of the gateways. */
  @Column('jsonb')
  breakdown: readonly object[];

  /** What the gateway says that it received, in `currencyReceived`. A decision of a person never changes it. */
  @MinorColumn({ name: 'amount_received', nullable: true })
  amountReceived: bigint | null;

  /** ISO 4217 as the gateway says it; not always one of ours. */
  @Column('text', { name: 'currency_received', nullable: true })
  currencyReceived: string | null;

  /** What of it went back to the payer. */
  @MinorColumn({ name: 'amount_refunded' })
  amountRefunded: bigint;

  /** The parts of that, in the order in which the gateway told of them. */
  @Column('jsonb')
  reversals: readonly StoredReversal[];

  /** How a person settled what was paid wrongly; null when nobody had to. */
  @Column('text', { nullable: true })
  resolution: PaymentAcceptance | null;

  /** The wallet that a person had credited instead of `walletId`. */
  @Column('uuid', { name: 'credit_wallet_id', nullable: true })
  creditWalletId: string | null;

  @Column('jsonb', { nullable: true })
  failure: PaymentFailure | null;

  /** Why a person must decide; while it stands nothing changes by itself. */
  @Column('text', { nullable: true })
  review: string | null;

  /** How often one was asked for. */
  @Column('integer')
  reviews: number;

  /** The credit. */
  @Column('uuid', { name: 'transaction_id', nullable: true })
  transactionId: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt: Date | null;

  /** When somebody must look at it again; null when nobody must. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Times that the gateway was asked without an answer that settles it. */
  @Column('integer')
  checks: number;

  /** Grows with each step: of two who read the same one, the second fails. */
  @Column('integer')
  version: number;

  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

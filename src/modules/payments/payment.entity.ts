import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';
import type { Refused } from '../../providers/answers';
import type { Customer, GatewayPage } from './gateway';

export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'expired',
  'cancelled',
  'reversed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Which states a payment may go to from each. Total: a state without a row does not compile. */
const TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'expired', 'cancelled'],
  processing: ['successful', 'failed'],
  successful: ['reversed'],
  failed: [],
  expired: [],
  cancelled: [],
  reversed: [],
};

/** Money that arrived after all: only a person may say so, with evidence. */
const BY_REVIEW: Readonly<Partial<Record<PaymentStatus, readonly PaymentStatus[]>>> = {
  failed: ['successful'],
  expired: ['successful'],
  cancelled: ['successful'],
};

/** Nothing is left to happen by itself, but for a reversal. */
export const isFinal = (status: PaymentStatus): boolean => status !== 'pending' && status !== 'processing';

/**
 * A step that the table does not have is a fault of ours. What is pending passes through `processing` on its way to an
 * outcome.
 */
export function assertTransition(from: PaymentStatus, to: PaymentStatus, isReview = false): void {
  const direct = [...TRANSITIONS[from], ...((isReview && BY_REVIEW[from]) || [])];
  const isAllowed = direct.includes(to) || (from === 'pending' && TRANSITIONS.processing.includes(to));
  if (!isAllowed) throw new Error(`a payment cannot go from ${from} to ${to}`);
}

/** What a person does with money that is not what was asked for. */
export const ACCEPTANCES = ['accept_received', 'accept_requested', 'refund_payer'] as const;
export type PaymentAcceptance = (typeof ACCEPTANCES)[number];

/** What is done by itself when another amount arrives than was asked for. */
export const POLICIES = ['review', 'accept_received', 'refund'] as const;
export type PaymentPolicy = (typeof POLICIES)[number];

/** Why a payment failed that was paid. */
export const TO_BE_REFUNDED = {
  code: 'to_be_refunded',
  message: 'What arrived is not accepted: it goes back to the payer.',
  recovery: 'none',
} as const;

/** Why a payment failed that its payer had begun to pay: when it was over, the gateway said that nothing was paid. */
export const ABANDONED = {
  code: 'payment_abandoned',
  message: 'The payer began to pay, and nothing was paid before it expired.',
  recovery: 'retry_later',
} as const;

/** A reversal as it is kept with its payment. Minor units in decimal digits: JSON numbers are no money. */
export interface StoredReversal {
  /** The gateway's, or `review` where a person took the rest back by evidence. */
  readonly reference: string;
  readonly amount: string;
  /** What left the wallet for it; null while nothing did. */
  readonly taken: string | null;
  /** The transaction that took it; null where rounding left nothing to take. */
  readonly transactionId: string | null;
}

/** Names between spaces. */
const names = {
  to: (list: readonly string[]) => list.join(' '),
  from: (text: string) => text.split(' ').filter(Boolean),
};

/**
 * Money that somebody is asked to pay into a wallet. Amounts in minor units; times are those of the account's clock.
 */
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

  /** What of it the gateway keeps, as it said when the payment was credited; null: it did not say. */
  @MinorColumn({ name: 'gateway_fee', nullable: true })
  gatewayFee: bigint | null;

  /** ISO 4217 as the gateway says it; not always one of ours. */
  @Column('text', { name: 'currency_received', nullable: true })
  currencyReceived: string | null;

  /** What of it went back to the payer: by reversals, and by refunds. */
  @MinorColumn({ name: 'amount_refunded' })
  amountRefunded: bigint;

  /** What of that our refunds gave back. */
  @MinorColumn({ name: 'refunds_made' })
  refundsMade: bigint;

  /** What refunds that are under way would give back beside it. */
  @MinorColumn({ name: 'refunds_running' })
  refundsRunning: bigint;

  @Column('text', { name: 'on_underpaid' })
  onUnderpaid: PaymentPolicy;

  @Column('text', { name: 'on_overpaid' })
  onOverpaid: PaymentPolicy;

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
  failure: Refused | null;

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

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import { type Bought, storedBought } from '../../core/money/bought';
import type { Currency } from '../../core/money/money';
import type { Share } from '../../providers/routes';
import type { SoldProduct } from '../../vocabulary/products';

/** What the purchase flow keeps beside a transaction until it is final. Times are those of the account's clock. */
@Entity('purchases')
export class Purchase {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** Of the transaction, and of its hold. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  product: SoldProduct;

  /** What providers are routed by. */
  @Column('text')
  network: string;

  /** What makes two purchases the same thing beside recipient and amount. */
  @Column('text', { nullable: true })
  variant: string | null;

  @Column('uuid', { name: 'wallet_id' })
  walletId: string;

  /** Minor units: what is held, and captured on delivery. */
  @MinorColumn()
  total: bigint;

  /** What it costs in the currency of the product, where the wallet pays in another one. */
  @Column('jsonb', { nullable: true, transformer: storedBought })
  conversion: Bought | null;

  @Column('jsonb')
  item: object;

  @Column('text', { nullable: true })
  scenario: string | null;

  /** Providers that are still to be asked, in order; names between spaces. */
  @Column('text', {
    transformer: { to: (route: string[]) => route.join(' '), from: (text: string) => text.split(' ').filter(Boolean) },
  })
  route: string[];

  /** Of those at one position, why they came in this order. */
  @Column('jsonb', { nullable: true })
  shares: readonly Share[] | null;

  /** What filters set, by provider. */
  @Column('jsonb')
  options: Record<string, Readonly<Record<string, unknown>>>;

  @Column('timestamptz', { name: 'deliver_by', nullable: true })
  deliverBy: Date | null;

  /** Waits for money. */
  @Column('boolean')
  queued: boolean;

  /** Providers asked so far. */
  @Column('integer')
  attempts: number;

  /** Requeries of the current attempt so far. */
  @Column('integer')
  checks: number;

  /** Answers in a row that the provider does not know the reference. */
  @Column('integer', { name: 'not_known' })
  notKnown: number;

  /** When somebody must look at it again; null when nobody must. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** When a provider called back last; null when none did. */
  @Column('timestamptz', { name: 'called_at', nullable: true })
  calledAt: Date | null;

  /** Why a person must decide. */
  @Column('text', { nullable: true })
  review: string | null;

  /** How often a person was called. */
  @Column('integer')
  reviews: number;

  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;
}

/** One request to one provider. Written before the provider is asked. */
@Entity('purchase_attempts')
export class PurchaseAttempt {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** The reference that the provider was given. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'purchase_id' })
  purchaseId: string;

  @Column('integer')
  number: number;

  @Column('text')
  provider: string;

  /** In the time of the account's clock. */
  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** What the provider answered at last; null while it is being asked, and after a crash. */
  @Column('text', { nullable: true })
  outcome: 'delivered' | 'not_delivered' | 'accepted' | 'unknown' | null;

  @Column('text', { nullable: true })
  code: string | null;

  @Column('text', { nullable: true })
  message: string | null;

  @Column('text', { name: 'provider_reference', nullable: true })
  providerReference: string | null;

  /** Minor units that our float there went down by; null: as much as arrived. */
  @MinorColumn({ nullable: true })
  cost: bigint | null;

  /** Of the cost; null: that of the product. */
  @Column('text', { name: 'cost_currency', nullable: true })
  costCurrency: Currency | null;
}

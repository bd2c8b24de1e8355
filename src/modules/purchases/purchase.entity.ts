import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { newId } from '../../core/http/ids';
import { MinorColumn } from '../../core/money/minor-column';
import type { FindResult, Product } from './purchases.provider';

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
  product: Product;

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

  @Column('jsonb')
  item: object;

  @Column('text', { nullable: true })
  scenario: string | null;

  /** Providers that are still to be asked, in order; names between spaces. */
  @Column('text', {
    transformer: { to: (route: string[]) => route.join(' '), from: (text: string) => text.split(' ').filter(Boolean) },
  })
  route: string[];

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
}

const insertPurchase = bulkInsert('purchases', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  product: 'text',
  network: 'text',
  variant: 'text?',
  wallet_id: 'uuid',
  total: 'bigint',
  item: 'jsonb',
  scenario: 'text?',
  route: 'text',
  options: 'jsonb',
  deliver_by: 'timestamptz?',
  queued: 'boolean',
  attempts: 'integer',
  checks: 'integer',
  not_known: 'integer',
  next_check_at: 'timestamptz?',
  request_id: 'uuid?',
  idempotency_key: 'text?',
});

const asText = (route: readonly string[]): string => route.join(' ');

export const purchaseWrite = (p: Readonly<Purchase>): Write =>
  insertPurchase.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: p.id,
    product: p.product,
    network: p.network,
    variant: p.variant,
    wallet_id: p.walletId,
    total: p.total,
    item: p.item,
    scenario: p.scenario,
    route: asText(p.route),
    options: p.options,
    deliver_by: p.deliverBy,
    queued: p.queued,
    attempts: p.attempts,
    checks: p.checks,
    not_known: p.notKnown,
    next_check_at: p.nextCheckAt,
    request_id: p.requestId,
    idempotency_key: p.idempotencyKey,
  });

const CHANGEABLE = ['total', 'route', 'queued', 'attempts', 'checks', 'not_known', 'next_check_at', 'review'];

// A step is about the attempt that it read: of two that heard the same refusal, one asks the next provider and the
// other fails here.
const updatePurchase = bulkUpdate(
  'purchases',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    attempts_before: 'integer',
    total: 'bigint',
    route: 'text',
    queued: 'boolean',
    attempts: 'integer',
    checks: 'integer',
    not_known: 'integer',
    next_check_at: 'timestamptz?',
    review: 'text?',
  },
  {
    name: 'update_purchases',
    key: ['account_id', 'livemode', 'id'],
    set: {
      ...Object.fromEntries(CHANGEABLE.map((column) => [column, `v.${column}`])),
      reviews: 't.reviews + (t.review IS NULL AND v.review IS NOT NULL)::integer',
    },
    where: 't.attempts = v.attempts_before',
  },
);

/** A changed purchase. The write fails when another attempt was begun since `before` was read. */
export const purchaseChange = (p: Readonly<Purchase>, before: Pick<Purchase, 'attempts'>): Write =>
  updatePurchase.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: p.id,
    attempts_before: before.attempts,
    total: p.total,
    route: asText(p.route),
    queued: p.queued,
    attempts: p.attempts,
    checks: p.checks,
    not_known: p.notKnown,
    next_check_at: p.nextCheckAt,
    review: p.review,
  });

const insertAttempt = bulkInsert('purchase_attempts', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  purchase_id: 'uuid',
  number: 'integer',
  provider: 'text',
  started_at: 'timestamptz',
});

export const attemptWrite = (a: Readonly<PurchaseAttempt>): Write =>
  insertAttempt.row({
    account_id: a.accountId,
    livemode: a.livemode,
    id: a.id,
    purchase_id: a.purchaseId,
    number: a.number,
    provider: a.provider,
    started_at: a.startedAt,
  });

const updateAttempt = bulkUpdate(
  'purchase_attempts',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    ended_at: 'timestamptz',
    outcome: 'text',
    code: 'text?',
    message: 'text?',
    provider_reference: 'text?',
  },
  {
    name: 'update_purchase_attempts',
    key: ['account_id', 'livemode', 'id'],
    set: {
      ended_at: 'v.ended_at',
      outcome: 'v.outcome',
      code: 'v.code',
      message: 'v.message',
      provider_reference: 'v.provider_reference',
    },
  },
);

/** What the provider answered. */
export const attemptChange = (a: Readonly<PurchaseAttempt>): Write =>
  updateAttempt.row({
    account_id: a.accountId,
    livemode: a.livemode,
    id: a.id,
    ended_at: a.endedAt!,
    outcome: a.outcome!,
    code: a.code,
    message: a.message,
    provider_reference: a.providerReference,
  });

const insertCheck = bulkInsert('purchase_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  purchase_id: 'uuid',
  provider: 'text',
  outcome: 'text',
  code: 'text?',
  call: 'text',
});

/** A requery and what it found; or an order from whose first answer nothing followed, which the attempt will forget. */
export const checkWrite = (
  p: Readonly<Purchase>,
  provider: string,
  found: FindResult,
  call: 'purchase' | 'find' = 'find',
): Write =>
  insertCheck.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newId(),
    purchase_id: p.id,
    provider,
    outcome: found.outcome,
    code: 'code' in found ? found.code : null,
    call,
  });

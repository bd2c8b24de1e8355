import { unnested } from '../../core/database/array-param';
import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { newId } from '../../core/http/ids';
import type { Purchase } from './purchase.entity';
import type { PurchaseAttempt } from './purchase-attempt.entity';
import type { FindResult } from './purchases.types';

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

// A step is about the attempt that it read: of two that heard the same refusal, one asks the next provider and the other fails here.
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

/** Purchases that somebody must look at by the clock of their account; `$1`: of this account only, `$2`: at most so many. */
export const SELECT_DUE = `
  SELECT p.account_id AS "accountId", p.livemode, p.id, p.next_check_at AS "at"
    FROM purchases p LEFT JOIN test_clocks c ON c.account_id = p.account_id AND NOT p.livemode
   WHERE p.next_check_at <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AND ($1::uuid IS NULL OR p.account_id = $1)
   ORDER BY p.next_check_at LIMIT $2`;

const payable = (among: string): string => `
  SELECT p.account_id AS "accountId", p.livemode, p.id
    FROM purchases p JOIN ledger_accounts a ON a.account_id = p.account_id AND a.id = p.wallet_id
   WHERE p.queued AND a.status = 'active' AND a.available >= p.total ${among}
   ORDER BY p.id LIMIT $1`;

/** Purchases that wait for money and could be paid now, oldest first: at most `$1`. */
export const SELECT_PAYABLE = payable('');

/** Of the accounts `$2`. Prepared: it is asked at each credit, and to plan it takes fifteen times as long as to run it. */
export const SELECT_PAYABLE_OF = {
  name: 'select_payable_purchases',
  text: payable('AND p.account_id = ANY ($2::uuid[])'),
};

/** Takes a due purchase for one checker: nobody else does it until the lease ends. */
export const LEASE = `
  UPDATE purchases SET next_check_at = $5 WHERE account_id = $1 AND livemode = $2 AND id = $3 AND next_check_at = $4 RETURNING id`;

/** Of these transactions, those that are final. */
export const SELECT_ENDED = {
  name: 'select_ended_transactions',
  text: `SELECT t.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v JOIN transactions t USING (account_id, livemode, id)
    WHERE t.status NOT IN ('pending', 'processing')`,
};

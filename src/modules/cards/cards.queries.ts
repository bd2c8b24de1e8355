import { unnested } from '../../core/database/array-param';
import { bulkCheck, bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import type { Caller } from '../../core/http/caller';
import { encodeId, newId } from '../../core/http/ids';
import type { Card, CardActor, CardStatus } from './card.entity';

const insertCard = bulkInsert('cards', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  customer_id: 'uuid',
  wallet_id: 'uuid',
  transaction_id: 'uuid',
  brand: 'text',
  currency: 'text',
  status: 'text',
  issuer: 'text',
  issuer_options: 'jsonb',
  name_on_card: 'text',
  billing_address: 'jsonb',
  spending_controls: 'jsonb',
  warn_at: 'integer?',
  terminate_at: 'integer?',
  label: 'text?',
  metadata: 'jsonb',
  reference: 'text?',
  next_check_at: 'timestamptz?',
  request_id: 'uuid?',
  idempotency_key: 'text?',
  updated_at: 'timestamptz',
});

/** A card that is asked for. */
export const cardWrite = (c: Readonly<Card>): Write =>
  insertCard.row({
    account_id: c.accountId,
    livemode: c.livemode,
    id: c.id,
    customer_id: c.customerId,
    wallet_id: c.walletId,
    transaction_id: c.transactionId,
    brand: c.brand,
    currency: c.currency,
    status: c.status,
    issuer: c.issuer,
    issuer_options: c.issuerOptions,
    name_on_card: c.nameOnCard,
    billing_address: c.billingAddress,
    spending_controls: c.spendingControls,
    warn_at: c.warnAt,
    terminate_at: c.terminateAt,
    label: c.label,
    metadata: c.metadata,
    reference: c.reference,
    next_check_at: c.nextCheckAt,
    request_id: c.requestId,
    idempotency_key: c.idempotencyKey,
    updated_at: c.updatedAt,
  });

const CHANGEABLE = [
  'status',
  'status_reason',
  'issuer_reference',
  'issuer_behind',
  'last4',
  'exp_month',
  'exp_year',
  'expires_at',
  'checks',
  'next_check_at',
  'version',
  'updated_at',
];

const KEY = ['account_id' as const, 'livemode' as const, 'id' as const];

// Whoever changes a card says which state it was in: of two who both think so, the second fails in the database.
const updateCard = bulkUpdate(
  'cards',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    status_before: 'text',
    status: 'text',
    status_reason: 'text?',
    issuer_reference: 'text?',
    issuer_behind: 'boolean',
    last4: 'text?',
    exp_month: 'integer?',
    exp_year: 'integer?',
    expires_at: 'timestamptz?',
    checks: 'integer',
    next_check_at: 'timestamptz?',
    version: 'integer',
    updated_at: 'timestamptz',
  },
  {
    name: 'update_cards',
    key: KEY,
    set: Object.fromEntries(CHANGEABLE.map((column) => [column, `v.${column}`])),
    where: 't.status = v.status_before AND t.version = v.version - 1',
  },
);

/** A changed card, of the next version: its state and what the issuer knows of it. The write fails when the stored one is not in the state of `before`. */
export const cardChange = (c: Readonly<Card>, before: Pick<Card, 'status' | 'version'>): Write =>
  updateCard.row({
    account_id: c.accountId,
    livemode: c.livemode,
    id: c.id,
    status_before: before.status,
    status: c.status,
    status_reason: c.statusReason,
    issuer_reference: c.issuerReference,
    issuer_behind: c.issuerBehind,
    last4: c.last4,
    exp_month: c.expMonth,
    exp_year: c.expYear,
    expires_at: c.expiresAt,
    checks: c.checks,
    next_check_at: c.nextCheckAt,
    version: before.version + 1,
    updated_at: c.updatedAt,
  });

const checkCard = bulkCheck(
  'cards',
  { account_id: 'uuid', livemode: 'boolean', id: 'uuid', status: 'text' },
  { name: 'check_cards', key: KEY, where: 't.status = v.status' },
);

/** Changes nothing, and fails when the card is no longer in the state in which it was read. */
export const cardUnchanged = ({
  accountId,
  livemode,
  id,
  status,
}: Pick<Card, 'accountId' | 'livemode' | 'id' | 'status'>): Write =>
  checkCard.row({ account_id: accountId, livemode, id, status });

/** Who changed a card, and why. */
export interface Deed {
  readonly actor: CardActor;
  /** Public id of the API key, name of the person or of the issuer. */
  readonly actorId: string | null;
  /** A word; becomes `status_reason`. */
  readonly reason: string | null;
}

/** What an account does through its API key. */
export const ownersDeed = ({ keyId }: Pick<Caller, 'keyId'>, reason: string | null = null): Deed => ({
  actor: 'account',
  actorId: keyId && encodeId('key', keyId),
  reason,
});

const insertTransition = bulkInsert('card_transitions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  from_status: 'text?',
  to_status: 'text',
  actor: 'text',
  actor_id: 'text?',
  reason: 'text?',
});

/** A change of state, kept for good: belongs into the transaction of the change. `from` null: the card was made. */
export const transitionWrite = (
  card: Pick<Card, 'accountId' | 'livemode' | 'id' | 'status'>,
  from: CardStatus | null,
  { actor, actorId, reason }: Deed,
): Write =>
  insertTransition.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newId(),
    card_id: card.id,
    from_status: from,
    to_status: card.status,
    actor,
    actor_id: actorId,
    reason,
  });

const insertCall = bulkInsert('issuer_calls', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  issuer: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  message: 'text?',
});

/** What an issuer answered. */
export const callWrite = (
  card: Readonly<Card>,
  call: 'issue' | 'find' | 'update',
  answer: { outcome: string; code?: string; message?: string },
): Write =>
  insertCall.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newId(),
    card_id: card.id,
    issuer: card.issuer,
    call,
    outcome: answer.outcome,
    code: answer.code ?? null,
    message: answer.message ?? null,
  });

/** What the ledger says of a card, as it comes. */
export interface BalanceRow {
  readonly id: string;
  readonly available: string;
  readonly held: string;
  readonly seq: string;
}

export const balanceOf = ({ available, held, seq }: Omit<BalanceRow, 'id'>) => ({
  available: BigInt(available),
  held: BigInt(held),
  seq: BigInt(seq),
});

/** Balances of cards, by their ids: account, ids. */
export const SELECT_BALANCES = `SELECT id, available, held, seq FROM ledger_accounts WHERE account_id = $1 AND id = ANY($2::uuid[])`;

/** Whose a card is: the ledger account of the same id tells. */
export const SELECT_OWNER = `SELECT account_id AS "accountId", livemode FROM ledger_accounts WHERE id = $1 AND name = 'card'`;

/** Cards that somebody must look at by the clock of their account; `$1`: of this account only, `$2`: at most so many. */
export const SELECT_DUE = `
  SELECT c.account_id AS "accountId", c.livemode, c.id, c.next_check_at AS "at"
    FROM cards c LEFT JOIN test_clocks k ON k.account_id = c.account_id AND NOT c.livemode
   WHERE c.next_check_at <= now() + coalesce(k.offset_ms, 0) * interval '1 millisecond' AND ($1::uuid IS NULL OR c.account_id = $1)
   ORDER BY c.next_check_at LIMIT $2`;

/** Takes a due card for one who looks: nobody else does until the lease ends. */
export const LEASE = `
  UPDATE cards SET next_check_at = $5 WHERE account_id = $1 AND livemode = $2 AND id = $3 AND next_check_at = $4 RETURNING id`;

/** What a blocked card was before: account, card. */
export const SELECT_BEFORE_BLOCK = `
  SELECT from_status AS "from" FROM card_transitions WHERE account_id = $1 AND card_id = $2 AND to_status = 'blocked' ORDER BY id DESC LIMIT 1`;

/** Of these cards, those about which the issuer has decided. */
export const SELECT_DECIDED = {
  name: 'select_decided_cards',
  text: `SELECT c.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v JOIN cards c USING (account_id, livemode, id)
    WHERE c.status <> 'pending'`,
};

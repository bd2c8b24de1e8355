import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { newId } from '../../core/http/ids';
import type { CardTransaction } from './card-transaction.entity';
import type { StepKind } from './card-transactions.states';

const insertCardTransaction = bulkInsert('card_transactions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  type: 'text',
  status: 'text',
  amount: 'bigint',
  cleared: 'bigint',
  released: 'bigint',
  refunded: 'bigint',
  currency: 'text',
  merchant: 'jsonb?',
  decline_reason: 'text?',
  original_id: 'uuid?',
  issuer_reference: 'text?',
  made_at: 'timestamptz',
  expires_at: 'timestamptz?',
  settled_at: 'timestamptz?',
  next_check_at: 'timestamptz?',
  request_id: 'uuid?',
  idempotency_key: 'text?',
  updated_at: 'timestamptz',
});

export const cardTransactionWrite = (t: Readonly<CardTransaction>): Write =>
  insertCardTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    card_id: t.cardId,
    type: t.type,
    status: t.status,
    amount: t.amount,
    cleared: t.cleared,
    released: t.released,
    refunded: t.refunded,
    currency: t.currency,
    merchant: t.merchant,
    decline_reason: t.declineReason,
    original_id: t.originalId,
    issuer_reference: t.issuerReference,
    made_at: t.madeAt,
    expires_at: t.expiresAt,
    settled_at: t.settledAt,
    next_check_at: t.nextCheckAt,
    request_id: t.requestId,
    idempotency_key: t.idempotencyKey,
    updated_at: t.updatedAt,
  });

// A step is about the sums that it read: of two at once, the second fails here even if the ledger's hold let it pass.
const updateCardTransaction = bulkUpdate(
  'card_transactions',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    cleared_before: 'bigint',
    released_before: 'bigint',
    refunded_before: 'bigint',
    status: 'text',
    cleared: 'bigint',
    released: 'bigint',
    refunded: 'bigint',
    settled_at: 'timestamptz?',
    next_check_at: 'timestamptz?',
    updated_at: 'timestamptz',
  },
  {
    name: 'update_card_transactions',
    key: ['account_id', 'livemode', 'id'],
    set: {
      ...Object.fromEntries(
        ['status', 'cleared', 'released', 'refunded', 'settled_at', 'next_check_at', 'updated_at'].map((column) => [
          column,
          `v.${column}`,
        ]),
      ),
      version: 't.version + 1',
    },
    where: '(t.cleared, t.released, t.refunded) = (v.cleared_before, v.released_before, v.refunded_before)',
  },
);

/** A changed card transaction. The write fails when its sums are not those of `before`. */
export const cardTransactionChange = (t: Readonly<CardTransaction>, before: Readonly<CardTransaction>): Write =>
  updateCardTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    cleared_before: before.cleared,
    released_before: before.released,
    refunded_before: before.refunded,
    status: t.status,
    cleared: t.cleared,
    released: t.released,
    refunded: t.refunded,
    settled_at: t.settledAt,
    next_check_at: t.nextCheckAt,
    updated_at: t.updatedAt,
  });

const insertClearing = bulkInsert('card_clearings', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  card_transaction_id: 'uuid',
  kind: 'text',
  amount: 'bigint',
  issuer_reference: 'text?',
});

/** A step of a card transaction, kept for good. */
export const stepWrite = (
  t: Readonly<CardTransaction>,
  kind: StepKind,
  { amount, message }: { amount: bigint; message: string | null },
): Write =>
  insertClearing.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: newId(),
    card_id: t.cardId,
    card_transaction_id: t.id,
    kind,
    amount,
    issuer_reference: message,
  });

// `authorizations` is the turn-taking of a card: who decides on its limits writes the number that it read plus one.
const authorizeCard = bulkUpdate(
  'cards',
  { account_id: 'uuid', livemode: 'boolean', id: 'uuid', authorizations_before: 'bigint' },
  {
    name: 'authorize_cards',
    key: ['account_id', 'livemode', 'id'],
    set: { authorizations: 't.authorizations + 1', declines: '0', version: 't.version + 1' },
    where: `t.authorizations = v.authorizations_before AND t.status = 'active'`,
  },
);

/** One more authorization of a card. The write fails when there was another one since `before` was read, or the card is not active. */
export const authorizedWrite = (card: {
  accountId: string;
  livemode: boolean;
  id: string;
  authorizations: bigint;
}): Write =>
  authorizeCard.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: card.id,
    authorizations_before: card.authorizations,
  });

/**
 * A card with what it spent since four moments, on one snapshot: account, mode, card, start of day, week, month and of the
 * longest interval that a limit asks for.
 */
export const SELECT_SPENDING = {
  name: 'select_card_spending',
  text: `SELECT c.currency, c.status, c.expires_at, c.spending_controls, c.authorizations, s.*
    FROM cards c CROSS JOIN LATERAL (
      SELECT coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $4), 0) AS daily,
             coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $5), 0) AS weekly,
             coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $6), 0) AS monthly,
             coalesce(sum(t.amount - t.released), 0) AS all_time
        FROM card_transactions t
       WHERE t.account_id = c.account_id AND t.livemode = c.livemode AND t.card_id = c.id
         AND t.type = 'authorization' AND t.status <> 'declined' AND t.made_at >= $7
    ) s WHERE c.account_id = $1 AND c.livemode = $2 AND c.id = $3`,
};

/** Counts a decline: account, mode, card. */
export const COUNT_DECLINE = `
  UPDATE cards SET declines = declines + 1, version = version + 1 WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status = 'active'
  RETURNING declines, warn_at AS "warnAt", terminate_at AS "terminateAt"`;

/** Authorizations that lapsed by the clock of their account; `$1`: of this account only, `$2`: at most so many. */
export const SELECT_LAPSED = `
  SELECT t.account_id AS "accountId", t.livemode, t.id
    FROM card_transactions t LEFT JOIN test_clocks c ON c.account_id = t.account_id AND NOT t.livemode
   WHERE t.next_check_at <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AND ($1::uuid IS NULL OR t.account_id = $1)
   ORDER BY t.next_check_at LIMIT $2`;

/** A card by its id alone, with its owner: the ledger account of the same id tells whose it is. */
export const SELECT_CARD_OWNER = {
  name: 'select_card_owner',
  text: `SELECT c.account_id AS "accountId", c.livemode, c.id FROM ledger_accounts a
    JOIN cards c ON c.account_id = a.account_id AND c.livemode = a.livemode AND c.id = a.id WHERE a.id = $1 AND c.issuer = $2`,
};

/** Has a card that ended looked at: account, mode, card, time of the account's clock. */
export const LOOK_AT_CARD = `
  UPDATE cards SET next_check_at = $4 WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status IN ('terminated', 'failed')`;

/**
 * SQL of all that waits for a person, of every kind alike. `amounts`: those by which it is decided how many people are
 * needed. A column that a kind does not have is null. A condition on the id narrows each part.
 */
const partsOf = (isOpen: boolean): readonly string[] => [
  `SELECT 'purchase' AS kind, 'txn' AS resource, t.type AS about, p.account_id, p.livemode, p.id, p.review AS reason,
          t.status, t.amount, t.currency, NULL::bigint AS received, NULL::text AS received_currency,
          t.provider_name AS party, NULL::text AS party_reference, t.recipient, NULL::uuid AS related,
          greatest(p.reviews, 1) AS round
     FROM purchases p JOIN transactions t USING (account_id, livemode, id) WHERE ${openOr(isOpen, 'p.review', 'p')}`,
  `SELECT 'payment', 'pay', 'payment', p.account_id, p.livemode, p.id, p.review, p.status, p.amount, p.currency,
          p.amount_received, p.currency_received, p.gateway, p.gateway_reference, NULL, p.transaction_id, p.reviews
     FROM payments p WHERE ${openOr(isOpen, 'p.review', 'p')}`,
  `SELECT 'refund', 'rfd', 'payment_refund', r.account_id, r.livemode, r.id, r.review, r.status, r.amount, r.currency,
          NULL, NULL, r.gateway, r.gateway_reference, NULL, r.payment_id, r.reviews
     FROM refunds r WHERE ${openOr(isOpen, 'r.review', 'r')}`,
  `SELECT 'deposit', 'dep', 'deposit', d.account_id, d.livemode, d.id, d.review, d.status, d.told_amount,
          d.told_currency, d.amount, d.currency, d.provider, d.provider_reference, NULL, d.virtual_account_id, d.reviews
     FROM deposits d WHERE ${openOr(isOpen, 'd.review', 'd')}`,
  `SELECT 'card', 'crd', 'card_issue', c.account_id, c.livemode, c.id, c.review, c.status, t.amount, t.currency,
          NULL, NULL, c.issuer, coalesce(c.issuer_reference, c.id::text), NULL, c.transaction_id, c.reviews
     FROM cards c JOIN transactions t
       ON t.account_id = c.account_id AND t.livemode = c.livemode AND t.id = c.transaction_id
    WHERE ${openOr(isOpen, 'c.review', 'c')}`,
  `SELECT 'dispute', 'dsp', d.reason, d.account_id, d.livemode, d.id, d.review, d.status, d.amount, d.currency,
          NULL, NULL, d.issuer, d.issuer_reference, NULL, d.card_transaction_id, d.reviews
     FROM disputes d WHERE ${openOr(isOpen, 'd.review', 'd')}`,
  `SELECT 'customer', 'cus', 'cardholder', c.account_id, c.livemode, c.id, c.kyc_review, c.kyc_status, NULL, NULL,
          NULL, NULL, c.kyc_provider, c.kyc_reference::text, NULL, NULL, c.kyc_reviews
     FROM customers c WHERE ${openOr(isOpen, 'c.kyc_review', 'c')}`,
];

const openOr = (isOpen: boolean, column: string, row: string): string =>
  isOpen ? `${column} IS NOT NULL` : `${row}.account_id = $1 AND ${row}.livemode = $2 AND ${row}.id = $3`;

/** What people decided so far in this round, oldest first. */
const DECISIONS = `
  coalesce((SELECT json_agg(json_build_object('id', v.id, 'userId', v.user_id, 'person', v.person,
                                              'outcome', v.outcome, 'note', v.note) ORDER BY v.id)
     FROM review_verdicts v
    WHERE v.account_id = w.account_id AND v.livemode = w.livemode AND v.resource = w.resource
      AND v.resource_id = w.id AND v.round = w.round), '[]')`;

const COLUMNS = `
  w.kind, w.resource, w.about, w.account_id AS "accountId", a.name AS "accountName", w.livemode, w.id, w.reason,
  w.status, w.amount, w.currency, w.received, w.received_currency AS "receivedCurrency", w.party,
  w.party_reference AS "partyReference", w.recipient, w.related, ${DECISIONS} AS decisions`;

/** A filter that is null lets everything pass. */
const FILTERED = `
  FROM (${partsOf(true).join(' UNION ALL ')}) w JOIN accounts a ON a.id = w.account_id
 WHERE ($1::text IS NULL OR w.kind = $1) AND ($2::uuid IS NULL OR w.account_id = $2)
   AND ($3::boolean IS NULL OR w.livemode = $3) AND w.id < $4`;

/** Oldest first, behind `$5`. */
export const SELECT_OPEN = `SELECT ${COLUMNS} ${FILTERED} AND w.id > $5 ORDER BY w.id LIMIT $6`;

export const COUNT_OPEN = `SELECT w.kind, count(*)::integer AS count ${FILTERED} GROUP BY w.kind`;

/** How many wait of each kind, and the id of the oldest. */
export const COUNT_WAITING = `
  SELECT w.kind, w.livemode, count(*)::integer AS count, min(w.id::text) AS first FROM (
    SELECT 'purchase' AS kind, p.livemode, p.id
      FROM transactions t JOIN purchases p USING (account_id, livemode, id)
     WHERE t.needs_review AND p.review IS NOT NULL
    UNION ALL SELECT 'payment', livemode, id FROM payments WHERE review IS NOT NULL
    UNION ALL SELECT 'refund', livemode, id FROM refunds WHERE review IS NOT NULL
    UNION ALL SELECT 'deposit', livemode, id FROM deposits WHERE review IS NOT NULL
    UNION ALL SELECT 'card', livemode, id FROM cards WHERE review IS NOT NULL
    UNION ALL SELECT 'dispute', livemode, id FROM disputes WHERE review IS NOT NULL
    UNION ALL SELECT 'customer', livemode, id FROM customers WHERE kyc_review IS NOT NULL) w
   GROUP BY w.kind, w.livemode`;

/** One, whether it waits or not, by account, mode, id and kind. */
export const SELECT_ONE = `
  SELECT ${COLUMNS} FROM (${partsOf(false).join(' UNION ALL ')}) w JOIN accounts a ON a.id = w.account_id
   WHERE w.resource = $4`;

/** What those who were asked answered, asked or by themselves. By account, mode and id. */
export const SELECT_ANSWERS = {
  pay: `
    SELECT id, gateway AS provider, call, outcome, code FROM payment_checks WHERE account_id = $1 AND payment_id = $3
     UNION ALL
    SELECT id, gateway, 'callback', says, NULL FROM payment_callbacks
     WHERE account_id = $1 AND livemode = $2 AND payment_id = $3`,
  rfd: `
    SELECT id, gateway AS provider, call, outcome, code FROM refund_checks
     WHERE account_id = $1 AND livemode = $2 AND refund_id = $3`,
  dep: `
    SELECT id, provider, call, outcome, code FROM deposit_checks
     WHERE account_id = $1 AND livemode = $2 AND deposit_id = $3`,
  crd: `
    SELECT id, issuer AS provider, call, outcome, code FROM issuer_calls
     WHERE account_id = $1 AND livemode = $2 AND card_id = $3`,
} as const;

/** Where a statement of a company and our books say differently, explained or not. */
export const SELECT_DIFFERENCES = `
  SELECT id, provider, currency, kind, reference, ours, theirs, found_at AS "foundAt", resolved_at AS "resolvedAt",
         person, reason
    FROM provider_differences WHERE transaction = ANY ($1) OR reference = ANY ($1) ORDER BY found_at, id LIMIT 50`;

/** Names under which companies know a purchase. */
export const SELECT_ATTEMPT_NAMES = `
  SELECT id::text AS name FROM purchase_attempts WHERE account_id = $1 AND livemode = $2 AND purchase_id = $3
   UNION SELECT provider_reference FROM purchase_attempts
    WHERE account_id = $1 AND livemode = $2 AND purchase_id = $3 AND provider_reference IS NOT NULL`;

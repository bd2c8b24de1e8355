import { type Check, inPieces, type Within } from '../../core/database/checks';

const events = (within: Within): string =>
  `(SELECT account_id, object_id, array_agg(type) AS types FROM events WHERE object_type = 'crd' AND NOT is_sample AND ${within('object_id')} GROUP BY account_id, object_id)`;

const LAST_TRANSITION = `(SELECT DISTINCT ON (account_id, card_id) account_id, card_id, to_status FROM card_transitions ORDER BY account_id, card_id, id DESC)`;

/** What came onto cards from wallets and went back. */
const moved = (within: Within): string => `
  (SELECT account_id, source_id AS card_id,
          sum(CASE type WHEN 'card_withdrawal' THEN -(amount + fee) ELSE amount END) AS amount
     FROM transactions WHERE type IN ('card_issue', 'card_funding', 'card_withdrawal') AND status = 'successful' AND ${within('source_id')} GROUP BY account_id, source_id)`;

/** What merchants and the issuer took and gave back, and what is held for them. */
const spent = (within: Within): string => `
  (SELECT account_id, card_id,
          sum(CASE type WHEN 'authorization' THEN -cleared WHEN 'fee' THEN -amount ELSE amount END) FILTER (WHERE status <> 'declined') AS amount,
          coalesce(sum(amount - cleared - released) FILTER (WHERE type = 'authorization' AND status <> 'declined'), 0) AS held
     FROM card_transactions WHERE ${within('card_id')} GROUP BY account_id, card_id)`;

/** What must hold between cards, their records and the books. */
export const CARD_CHECKS: readonly Check[] = [
  {
    name: 'cards_have_ledger_accounts',
    violations: `
      SELECT coalesce(c.id, a.id) AS card_id, c.status, a.status AS account_status FROM cards c
        FULL JOIN (SELECT * FROM ledger_accounts WHERE name = 'card') a ON a.account_id = c.account_id AND a.id = c.id
       WHERE (c.currency, c.livemode) IS DISTINCT FROM (a.currency, a.livemode)
          OR (a.status = 'closed' AND c.status NOT IN ('failed', 'terminated'))`,
  },
  {
    name: 'cards_equal_their_movements',
    violations: inPieces(
      'card_transactions',
      'card_id',
      (within) => `
      SELECT c.id AS card_id, c.status, a.available, a.held, m.amount AS moved, s.amount AS spent, s.held AS authorized
        FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
        LEFT JOIN ${moved(within)} m ON m.account_id = c.account_id AND m.card_id = c.id
        LEFT JOIN ${spent(within)} s ON s.account_id = c.account_id AND s.card_id = c.id
       WHERE ${within('c.id')} AND (a.available + a.held <> coalesce(m.amount, 0) + coalesce(s.amount, 0) OR a.held <> coalesce(s.held, 0))`,
    ),
  },
  {
    name: 'card_issues_debit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT t.id AS transaction_id, c.id AS card_id, t.status, c.status AS card_status, e.available, e.held
        FROM (SELECT * FROM transactions WHERE type = 'card_issue' AND ${within('id')}) t
        FULL JOIN (SELECT * FROM cards WHERE ${within('transaction_id')}) c ON c.account_id = t.account_id AND c.livemode = t.livemode AND c.transaction_id = t.id AND c.id = t.source_id
        LEFT JOIN (
          SELECT account_id, transaction_id, coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'held'), 0) AS held
            FROM ledger_entries WHERE transaction_id IS NOT NULL AND ${within('transaction_id')} GROUP BY account_id, transaction_id
        ) e ON e.account_id = t.account_id AND e.transaction_id = t.id
       WHERE t.id IS NULL OR c.id IS NULL
          OR t.status <> CASE c.status WHEN 'pending' THEN 'pending' WHEN 'failed' THEN 'failed' ELSE 'successful' END
          OR (coalesce(e.available, 0), coalesce(e.held, 0)) IS DISTINCT FROM CASE t.status
               WHEN 'pending' THEN (-(t.amount + t.fee)::numeric, (t.amount + t.fee)::numeric)
               WHEN 'successful' THEN (-(t.amount + t.fee)::numeric, 0::numeric)
               ELSE (0::numeric, 0::numeric) END`,
    ),
  },
  {
    name: 'cards_are_where_their_transitions_lead',
    violations: `
      SELECT c.id AS card_id, c.status, l.to_status FROM cards c
        LEFT JOIN ${LAST_TRANSITION} l ON l.account_id = c.account_id AND l.card_id = c.id
       WHERE l.to_status IS DISTINCT FROM c.status`,
  },
  {
    // What is not at rest is somebody's to look at: nothing is forgotten.
    name: 'waiting_cards_are_due',
    violations: `
      SELECT id AS card_id, status, issuer_behind, next_check_at FROM cards
       WHERE (status = 'pending' OR issuer_behind OR status = 'active') AND next_check_at IS NULL`,
  },
  {
    name: 'cards_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT c.id AS card_id, c.status, v.types FROM cards c LEFT JOIN ${events(within)} v ON v.account_id = c.account_id AND v.object_id = c.id
       WHERE ${within('c.id')} AND (cardinality(array_positions(coalesce(v.types, '{}'), 'card.issued')) <> CASE WHEN c.status IN ('pending', 'failed') THEN 0 ELSE 1 END
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'card.issue_failed')) <> CASE c.status WHEN 'failed' THEN 1 ELSE 0 END
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'card.terminated')) <> CASE c.status WHEN 'terminated' THEN 1 ELSE 0 END)`,
    ),
  },
  {
    name: 'references_of_cards_are_claimed_once',
    violations: `
      SELECT r.id AS card_id, r.reference, c.resource_id AS claimed_by FROM cards r
        LEFT JOIN claims c ON c.account_id = r.account_id AND c.livemode = r.livemode AND c.kind = 'reference' AND c.value = r.reference
       WHERE r.reference IS NOT NULL AND (c.resource, c.resource_id) IS DISTINCT FROM ('crd', r.id)`,
  },
];

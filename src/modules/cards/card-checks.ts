import { arrived } from '../../core/cells/slot-moves';
import { type Check, inPieces, type Within } from '../../core/database/checks';
import { referencesAreClaimedOnce } from '../../core/idempotency/claims';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';

const events = (within: Within): string =>
  `(SELECT account_id, object_id, array_agg(type) AS types FROM events
     WHERE object_type = 'crd' AND NOT is_sample AND ${within('object_id')} GROUP BY account_id, object_id)`;

const LAST_TRANSITION = `
  (SELECT DISTINCT ON (account_id, card_id) account_id, card_id, to_status FROM card_transitions
    ORDER BY account_id, card_id, id DESC)`;

/** What came onto cards from wallets and went back. */
const movedByWallets = (within: Within): string => `
  (SELECT account_id, source_id AS card_id,
          sum(CASE type WHEN 'card_withdrawal' THEN -(amount + fee)
              ELSE coalesce((details #>> '{conversion,amount}')::bigint, amount) END) AS amount
     FROM transactions WHERE type IN ('card_issue', 'card_funding', 'card_withdrawal') AND status = 'successful'
       AND ${within('source_id')} GROUP BY account_id, source_id)`;

/** What is held for a merchant. */
const OPEN = `
  CASE WHEN t.type IN ('authorization', 'clearing') AND t.decline_reason IS NULL
       THEN t.amount - (t.cleared - t.over) - t.released ELSE 0 END`;

/** What merchants and the issuer took and gave back, and what is held for them. */
const spent = (within: Within): string => `
  (SELECT account_id, card_id,
          sum(CASE WHEN type IN ('refund', 'dispute_credit') THEN amount
                   WHEN type = 'fee' THEN -amount ELSE -cleared END) AS amount,
          coalesce(sum(${OPEN}), 0) AS held
     FROM card_transactions t WHERE ${within('card_id')} GROUP BY account_id, card_id)`;

/** What must hold between cards, their records and the books. */
export const CARD_CHECKS: readonly Check[] = [
  {
    name: 'cards_have_ledger_accounts',
    violations: `
      SELECT coalesce(c.id, a.id) AS card_id, c.status, a.status AS account_status FROM cards c
        FULL JOIN (SELECT * FROM ledger_accounts WHERE name = 'card' AND status <> 'moved') a
          ON a.account_id = c.account_id AND a.id = c.id
       WHERE (c.currency, c.livemode) IS DISTINCT FROM (a.currency, a.livemode)
          OR (a.status = 'closed' AND c.status NOT IN ('failed', 'terminated'))`,
  },
  {
    name: 'cards_equal_their_movements',
    violations: inPieces(
      'card_transactions',
      'card_id',
      (within) => `
      SELECT c.id AS card_id, c.status, c.debt, a.available, a.held, m.amount AS moved, s.amount AS spent,
             s.held AS authorized
        FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
        LEFT JOIN ${movedByWallets(within)} m ON m.account_id = c.account_id AND m.card_id = c.id
        LEFT JOIN ${spent(within)} s ON s.account_id = c.account_id AND s.card_id = c.id
       WHERE ${within('c.id')} AND (a.available + a.held <> coalesce(m.amount, 0) + coalesce(s.amount, 0) + c.debt
         OR a.held <> coalesce(s.held, 0))`,
    ),
  },
  {
    // Whatever comes to a card pays its debt first.
    name: 'cards_in_debt_are_empty',
    violations: `
      SELECT c.id AS card_id, c.status, c.debt, a.available FROM cards c
        JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
       WHERE c.debt > 0 AND a.available > 0`,
  },
  {
    name: 'debts_of_cards_equal_ledger',
    violations: `
      SELECT coalesce(c.account_id, a.owner) AS account_id, c.debt, a.available FROM (
          SELECT account_id, currency, livemode, sum(debt) AS debt FROM cards WHERE debt > 0
           GROUP BY account_id, currency, livemode
        ) c FULL JOIN (
          SELECT substr(name, length('card_debts:') + 1)::uuid AS owner, currency, livemode, available, held
            FROM ledger_accounts WHERE account_id = '${PLATFORM_ACCOUNT_ID}' AND starts_with(name, 'card_debts:')
        ) a ON a.owner = c.account_id AND a.currency = c.currency AND a.livemode = c.livemode
       WHERE coalesce(c.debt, 0) <> -coalesce(a.available, 0) OR a.held <> 0`,
  },
  {
    name: 'card_issues_debit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT t.id AS transaction_id, c.id AS card_id, t.status, c.status AS card_status, e.available, e.held
        FROM (SELECT * FROM transactions WHERE type = 'card_issue' AND ${within('id')}) t
        FULL JOIN (SELECT * FROM cards WHERE ${within('transaction_id')}) c ON c.account_id = t.account_id
          AND c.livemode = t.livemode AND c.transaction_id = t.id AND c.id = t.source_id
        LEFT JOIN (
          SELECT account_id, transaction_id, coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'held'), 0) AS held
            FROM ledger_entries WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
              GROUP BY account_id, transaction_id
        ) e ON e.account_id = t.account_id AND e.transaction_id = t.id
       WHERE t.id IS NULL OR c.id IS NULL
          OR t.status <> CASE c.status
               WHEN 'pending' THEN 'processing' WHEN 'failed' THEN 'failed' ELSE 'successful' END
          OR (coalesce(e.available, 0), coalesce(e.held, 0)) IS DISTINCT FROM CASE t.status
               WHEN 'processing' THEN (-(t.amount + t.fee)::numeric, (t.amount + t.fee)::numeric)
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
    name: 'verified_customers_have_a_tier',
    violations: `
      SELECT id AS customer_id, kyc_status, kyc_tier FROM customers
       WHERE kyc_tier NOT BETWEEN 0 AND 3 OR (kyc_status = 'verified') <> (kyc_tier > 0)`,
  },
  {
    // What is not at rest is somebody's to look at: nothing is forgotten.
    name: 'waiting_cards_are_due',
    violations: `
      SELECT id AS card_id, status, issuer_behind, next_check_at FROM cards
       WHERE (status = 'pending' OR issuer_behind OR (status = 'active' AND expires_at IS NOT NULL))
         AND next_check_at IS NULL`,
  },
  {
    name: 'cards_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT c.id AS card_id, c.status, v.types FROM cards c
        LEFT JOIN ${events(within)} v ON v.account_id = c.account_id AND v.object_id = c.id
       WHERE ${within('c.id')} AND (
             cardinality(array_positions(coalesce(v.types, '{}'), 'card.issued'))
             <> CASE WHEN c.status IN ('pending', 'failed') THEN 0 ELSE 1 END
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'card.issue_failed'))
             <> CASE c.status WHEN 'failed' THEN 1 ELSE 0 END
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'card.terminated'))
             <> CASE c.status WHEN 'terminated' THEN 1 ELSE 0 END
          OR c.debt > 0 AND NOT 'card.overdrawn' = ANY (coalesce(v.types, '{}'))
          OR c.review IS NOT NULL AND NOT 'card.needs_review' = ANY (coalesce(v.types, '{}')))`,
    ),
  },
  referencesAreClaimedOnce('card', 'cards', 'crd'),
];

/** What a card transaction moved on its card, at the issuer and beside them, by the entries of its postings. */
const moved = (within: Within): string => `
  SELECT e.posting_id,
         sum(e.amount) FILTER (WHERE a.name = 'card' AND e.bucket = 'available') AS available,
         sum(e.amount) FILTER (WHERE a.name = 'card' AND e.bucket = 'held') AS held,
         sum(e.amount) FILTER (WHERE starts_with(a.name, 'card_issuer:')) AS issuer,
         sum(e.amount) FILTER (WHERE a.name = 'wallet') AS wallet,
         sum(e.amount) FILTER (WHERE starts_with(a.name, 'card_debts:')) AS debts
    FROM ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
   WHERE ${within('e.posting_id')} GROUP BY e.posting_id`;

/** What must hold between card transactions and the books. */
export const CARD_TRANSACTION_CHECKS: readonly Check[] = [
  {
    name: 'card_transactions_equal_entries',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT t.id AS card_transaction_id, t.type, t.status, t.amount, t.cleared, t.over, t.from_wallet, t.from_debt,
             t.debt_paid, t.released, m.available, m.held, m.issuer, m.wallet, m.debts
        FROM card_transactions t LEFT JOIN (${moved(within)}) m ON m.posting_id = t.id
       WHERE ${within('t.id')} AND NOT ${arrived('t.id')}
         AND ((coalesce(m.available, 0), coalesce(m.held, 0), coalesce(m.issuer, 0)) IS DISTINCT FROM CASE
               WHEN t.type IN ('refund', 'dispute_credit')
               THEN ((t.amount - t.debt_paid)::numeric, 0::numeric, -t.amount::numeric)
               WHEN t.type = 'fee' THEN (-t.amount::numeric, 0::numeric, 0::numeric)
               ELSE (-(t.cleared - t.from_wallet - t.from_debt + ${OPEN} + t.debt_paid)::numeric, (${OPEN})::numeric,
                     t.cleared::numeric) END
           OR (-coalesce(m.wallet, 0), coalesce(m.debts, 0))
             IS DISTINCT FROM (t.from_wallet::numeric, (t.debt_paid - t.from_debt)::numeric))`,
    ),
  },
  {
    name: 'open_authorizations_equal_held',
    violations: inPieces(
      'card_transactions',
      'card_id',
      (within) => `
      SELECT c.id AS card_id, a.held, t.open FROM cards c
        JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
        LEFT JOIN (SELECT t.account_id, t.card_id, sum(${OPEN}) AS open FROM card_transactions t
                    WHERE ${within('t.card_id')} GROUP BY t.account_id, t.card_id) t
          ON t.account_id = c.account_id AND t.card_id = c.id
       WHERE ${within('c.id')} AND a.held IS DISTINCT FROM coalesce(t.open, 0)`,
    ),
  },
  {
    name: 'card_issuer_got_what_was_cleared',
    violations: `
      SELECT coalesce(t.currency, e.currency) AS currency, t.sum AS cleared_minus_refunded, e.sum AS of_entries FROM (
          SELECT currency, livemode,
                 sum(CASE WHEN type IN ('dispute_credit', 'refund') THEN -amount ELSE cleared - refunded END) AS sum
            FROM card_transactions
           WHERE (type IN ('authorization', 'clearing', 'dispute_credit', 'dispute_reversal')
                  OR (type = 'refund' AND original_id IS NULL)) AND NOT ${arrived('id')}
           GROUP BY currency, livemode
        ) t FULL JOIN (
          SELECT a.currency, a.livemode, sum(e.amount) AS sum FROM ledger_entries e
            JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
            JOIN card_transactions t ON t.id = e.posting_id AND NOT ${arrived('t.id')}
           WHERE starts_with(a.name, 'card_issuer:') GROUP BY a.currency, a.livemode
        ) e USING (currency, livemode)
       WHERE coalesce(t.sum, 0) IS DISTINCT FROM coalesce(e.sum, 0)`,
  },
  {
    // The steps are kept one by one; refunds are card transactions of their own, too.
    name: 'card_transactions_equal_steps',
    violations: inPieces(
      'card_transactions',
      'id',
      (within) => `
      SELECT t.id AS card_transaction_id, t.status, t.cleared, s.cleared AS of_steps,
             t.released, s.released AS released_of_steps, t.refunded, s.refunded AS refunded_of_steps, r.sum AS refunds
        FROM card_transactions t
        LEFT JOIN (SELECT account_id, card_transaction_id, sum(amount) FILTER (WHERE kind = 'clearing') AS cleared,
                          sum(amount) FILTER (WHERE kind IN ('void', 'expiry')) AS released,
                          sum(amount) FILTER (WHERE kind = 'refund') AS refunded
                     FROM card_clearings WHERE ${within('card_transaction_id')}
                    GROUP BY account_id, card_transaction_id) s
          ON s.account_id = t.account_id AND s.card_transaction_id = t.id
        LEFT JOIN (SELECT account_id, original_id, sum(amount) AS sum FROM card_transactions
                    WHERE type = 'refund' AND ${within('original_id')} GROUP BY account_id, original_id) r
          ON r.account_id = t.account_id AND r.original_id = t.id
       WHERE ${within('t.id')} AND t.type IN ('authorization', 'clearing')
         AND (t.cleared, t.released, t.refunded, t.refunded)
           IS DISTINCT FROM
             (coalesce(s.cleared, 0), coalesce(s.released, 0), coalesce(s.refunded, 0), coalesce(r.sum, 0))`,
    ),
  },
  {
    name: 'card_transactions_have_the_status_of_their_sums',
    violations: `
      SELECT t.id AS card_transaction_id, t.status, t.amount, t.cleared, t.released, t.refunded, t.next_check_at
        FROM card_transactions t
       WHERE t.type IN ('authorization', 'clearing') AND t.status <> 'declined' AND (
             t.status NOT IN ('voided', 'expired') AND t.status <> CASE
               WHEN t.cleared = 0 THEN 'authorized'
               WHEN ${OPEN} = 0 AND t.refunded = t.cleared THEN 'refunded' ELSE 'settled' END
          OR t.status IN ('voided', 'expired') AND (t.cleared > 0 OR ${OPEN} > 0)
          OR t.status = 'authorized' AND ${OPEN} = 0
          OR (t.next_check_at IS NOT NULL) <> (${OPEN} > 0))`,
  },
  {
    name: 'card_fees_have_records',
    violations: `
      SELECT coalesce(t.id, x.id) AS card_transaction_id, t.amount, x.amount AS of_record
        FROM (SELECT * FROM card_transactions WHERE type = 'fee') t
        FULL JOIN (SELECT * FROM transactions WHERE type = 'card_fee') x ON x.account_id = t.account_id AND x.id = t.id
       WHERE (t.amount, t.card_id, t.livemode) IS DISTINCT FROM (x.amount, x.wallet_id, x.livemode)`,
  },
  {
    name: 'card_transactions_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT t.id AS card_transaction_id, t.type, t.status, t.events, v.events AS written FROM (
          SELECT t.account_id, t.id, t.type, t.status,
                 CASE WHEN t.type IN ('refund', 'clearing') THEN 0 ELSE 1 END + count(s.id) AS events
            FROM card_transactions t
            LEFT JOIN card_clearings s ON s.account_id = t.account_id AND s.card_transaction_id = t.id
           WHERE ${within('t.id')} GROUP BY t.account_id, t.livemode, t.id
        ) t LEFT JOIN (
          SELECT account_id, object_id, count(*) AS events FROM events
           WHERE object_type = 'ctx' AND NOT is_sample AND ${within('object_id')} GROUP BY account_id, object_id) v
          ON v.account_id = t.account_id AND v.object_id = t.id
       WHERE t.events IS DISTINCT FROM coalesce(v.events, 0)`,
    ),
  },
];

/** What must hold between disputes, what they are about, and what they moved. */
export const DISPUTE_CHECKS: readonly Check[] = [
  {
    // What is in dispute, and what was won, stands with the card transaction, and is no more than what was taken.
    name: 'disputes_stay_within_their_card_transaction',
    violations: `
      SELECT coalesce(t.id, d.card_transaction_id) AS card_transaction_id, t.cleared, t.disputed, d.amount
        FROM (SELECT * FROM card_transactions WHERE disputed <> 0) t FULL JOIN (
          SELECT account_id, livemode, card_transaction_id, sum(coalesce(won_amount, amount)) AS amount FROM disputes
           WHERE status IN ('open', 'under_review', 'won') GROUP BY account_id, livemode, card_transaction_id
        ) d ON d.account_id = t.account_id AND d.livemode = t.livemode AND d.card_transaction_id = t.id
       WHERE t.disputed IS DISTINCT FROM d.amount OR t.disputed > t.cleared`,
  },
  {
    // Won: all of it, or the part that is won, once. Lost or withdrawn: nothing is left of what was credited before.
    name: 'disputes_credit_what_they_say',
    violations: `
      SELECT coalesce(d.id, t.dispute_id) AS dispute_id, d.status, d.amount, d.won_amount,
             d.provisional_credit, t.credited
        FROM disputes d FULL JOIN (
          SELECT account_id, livemode, dispute_id,
                 sum(CASE type WHEN 'dispute_credit' THEN amount ELSE -amount END) AS credited
            FROM card_transactions WHERE dispute_id IS NOT NULL GROUP BY account_id, livemode, dispute_id
        ) t ON t.account_id = d.account_id AND t.livemode = d.livemode AND t.dispute_id = d.id
       WHERE d.id IS NULL OR coalesce(t.credited, 0) <> CASE
               WHEN d.status = 'won' THEN coalesce(d.won_amount, d.amount)
               WHEN d.status IN ('open', 'under_review') THEN coalesce(d.provisional_credit, 0) ELSE 0 END`,
  },
  {
    // What is not resolved is somebody's to look at, or marked for a person: nothing is forgotten.
    name: 'open_disputes_are_due',
    violations: `
      SELECT id AS dispute_id, status FROM disputes
       WHERE resolved_at IS NULL AND next_check_at IS NULL AND review IS NULL`,
  },
  referencesAreClaimedOnce('dispute', 'disputes', 'dsp'),
  {
    name: 'disputes_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT d.id AS dispute_id, d.status, v.types FROM disputes d
        LEFT JOIN (SELECT account_id, object_id, array_agg(type) AS types FROM events
                    WHERE object_type = 'dsp' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = d.account_id AND v.object_id = d.id
       WHERE ${within('d.id')} AND (
             cardinality(array_positions(coalesce(v.types, '{}'), 'dispute.opened')) <> 1
          OR d.status = 'under_review' AND NOT 'dispute.under_review' = ANY (coalesce(v.types, '{}'))
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'dispute.won')) <> (d.status = 'won')::integer
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'dispute.lost')) <> (d.status = 'lost')::integer
          OR cardinality(array_positions(coalesce(v.types, '{}'), 'dispute.withdrawn'))
              <> (d.status = 'withdrawn')::integer
          OR (d.review IS NOT NULL AND NOT 'dispute.needs_review' = ANY (coalesce(v.types, '{}'))))`,
    ),
  },
];

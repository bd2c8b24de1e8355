import { arrived, hasLeft } from '../../core/cells/slot-moves';
import { type Check, firstKept, inPieces, type Within } from '../../core/database/checks';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';

/** Payments from a wallet of another currency, with what they bought: purchases keep it, of cards the record does. */
const converted = (within: Within): string => `
  SELECT t.account_id, t.livemode, t.id, t.status, t.currency, t.amount, t.fee, b.bought ->> 'currency' AS to_currency,
         (b.bought ->> 'total')::numeric AS bought
    FROM transactions t LEFT JOIN purchases p USING (account_id, livemode, id)
   CROSS JOIN LATERAL (SELECT coalesce(p.conversion, CASE WHEN t.type IN ('card_issue', 'card_funding')
                              THEN t.details -> 'conversion' END)) b (bought)
   WHERE ${within('t.id')} AND b.bought IS NOT NULL`;

/** Deliveries that cost what our float there has, in another currency than was sold. */
const paidAbroad = (within: Within): string => `
  SELECT a.account_id, a.purchase_id AS id, coalesce(p.conversion ->> 'currency', t.currency) AS currency,
         coalesce((p.conversion ->> 'amount')::numeric, t.amount) AS price, a.cost_currency, a.cost
    FROM purchase_attempts a JOIN purchases p ON p.account_id = a.account_id AND p.livemode = a.livemode
     AND p.id = a.purchase_id
    JOIN transactions t ON t.account_id = p.account_id AND t.livemode = p.livemode AND t.id = p.id
   WHERE ${within('a.purchase_id')} AND a.outcome = 'delivered'
     AND a.cost_currency <> coalesce(p.conversion ->> 'currency', t.currency)`;

/** What the positions took and gave in each posting of two currencies, line by line, and what it belongs to. */
const moved = (within: Within): string => `
  SELECT e.posting_id, count(DISTINCT e.transaction_id) AS transactions,
         (array_agg(e.account_id) FILTER (WHERE e.transaction_id IS NOT NULL))[1] AS account_id,
         (array_agg(e.transaction_id) FILTER (WHERE e.transaction_id IS NOT NULL))[1] AS transaction_id,
         array_agg(a.currency) FILTER (WHERE starts_with(a.name, 'fx_position')) AS currencies,
         array_agg(e.amount) FILTER (WHERE starts_with(a.name, 'fx_position')) AS amounts
    FROM ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
   WHERE ${within('e.posting_id')} GROUP BY e.posting_id HAVING min(a.currency) <> max(a.currency)`;

/** Sums of amounts by their currencies, as JSON, of rows `(currency, amount)`. */
const sums = (rows: string): string => `
  (SELECT jsonb_object_agg(currency, amount) FROM (SELECT currency, sum(amount) AS amount FROM (${rows}) r
    WHERE currency IS NOT NULL GROUP BY currency HAVING sum(amount) <> 0) s)`;

const TAKEN = 'SELECT * FROM unnest(m.currencies, m.amounts) l (currency, amount)';

/** What a conversion `v` and a cost `b` turn, of a delivery or of its reversal `u`. */
const DUE = `
  SELECT currency, CASE WHEN u.reverses IS NULL THEN amount ELSE -amount END AS amount
    FROM (VALUES (v.currency, v.amount), (v.to_currency, -v.bought), (b.currency, b.price), (b.cost_currency, -b.cost))
      l (currency, amount)`;

/** What must hold between the books and the conversions. */
export const CONVERSION_CHECKS: readonly Check[] = [
  {
    // So are deliveries that cost another currency. Whatever else moves two currencies in one posting is a mistake,
    // though each of them balances. Of costs nobody knows any more once their attempts are gone.
    name: 'postings_in_two_currencies_are_conversions',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT m.posting_id, m.transaction_id, took.positions
        FROM (${moved(within)}) m
       CROSS JOIN LATERAL (SELECT ${sums(TAKEN)}) took (positions)
        LEFT JOIN conversions c ON c.id = m.posting_id
        LEFT JOIN transactions u ON u.account_id = m.account_id AND u.id = m.transaction_id AND m.transactions = 1
        LEFT JOIN LATERAL (${converted((id) => `${id} = coalesce(u.reverses, u.id) AND t.account_id = u.account_id`)}) v
          ON true
        LEFT JOIN LATERAL (
          ${paidAbroad((id) => `${id} = coalesce(u.reverses, u.id) AND a.account_id = u.account_id`)}
        ) b ON true
       CROSS JOIN LATERAL (SELECT ${sums(DUE)}) due (positions)
       WHERE c.id IS NULL AND (m.transactions <> 1 OR coalesce(v.id, b.id) IS NULL
               OR took.positions IS DISTINCT FROM due.positions)
         AND coalesce(u.reverses, u.id) >= ${firstKept('purchase_attempts')} IS NOT FALSE
         AND NOT ${hasLeft('coalesce(m.transaction_id, m.posting_id)')} AND NOT ${arrived('m.posting_id')}`,
    ),
  },
  {
    // At the rate of the quote: of less than all of it the part that was bought, rounded against whoever paid.
    name: 'payments_that_convert_have_their_quote',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT coalesce(v.id, q.used_by) AS transaction_id, q.id AS quote_id, v.amount, v.fee, v.bought
        FROM (SELECT * FROM quotes WHERE used_by_resource = 'txn' AND ${within('used_by')}) q
        FULL JOIN (${converted(within)}) v
          ON v.account_id = q.account_id AND v.livemode = q.livemode AND v.id = q.used_by
       WHERE q.id IS NULL OR v.id IS NULL OR v.bought NOT BETWEEN 1 AND q.buy_amount
          OR (v.currency, v.to_currency, v.amount, v.fee) IS DISTINCT FROM (q.from_currency, q.to_currency,
               div(q.sell_amount::numeric * v.bought + q.buy_amount - 1, q.buy_amount),
               div(q.fee::numeric * v.bought, q.buy_amount))`,
    ),
  },
  {
    // Once it is delivered, and once more when it is taken back; what is only held was not converted.
    name: 'payments_that_convert_move_both_currencies',
    violations: `
      SELECT q.used_by AS transaction_id, t.status, m.postings FROM quotes q
        JOIN transactions t ON t.account_id = q.account_id AND t.livemode = q.livemode AND t.id = q.used_by
        LEFT JOIN (
          SELECT u.account_id, coalesce(u.reverses, u.id) AS id, count(DISTINCT e.posting_id) AS postings
            FROM (SELECT DISTINCT posting_id FROM ledger_entries e
                    JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
                   WHERE e.account_id = '${PLATFORM_ACCOUNT_ID}' AND starts_with(a.name, 'fx_position')) p
            JOIN ledger_entries e ON e.posting_id = p.posting_id AND e.transaction_id IS NOT NULL
            JOIN transactions u ON u.account_id = e.account_id AND u.id = e.transaction_id
           GROUP BY u.account_id, coalesce(u.reverses, u.id)
        ) m ON m.account_id = t.account_id AND m.id = t.id
       WHERE q.used_by_resource = 'txn' AND NOT ${arrived('q.used_by')}
         AND coalesce(m.postings, 0) <>
             CASE t.status WHEN 'successful' THEN 1 WHEN 'reversed' THEN 2 ELSE 0 END`,
  },
  {
    name: 'conversions_are_complete',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT c.id AS conversion_id, debit.id IS NOT NULL AS has_debit, credit.id IS NOT NULL AS has_credit,
             q.id IS NOT NULL AS has_quote, e.entries, v.events
        FROM conversions c
        LEFT JOIN transactions debit ON debit.account_id = c.account_id AND debit.livemode = c.livemode
          AND debit.id = c.debit_transaction_id AND debit.wallet_id = c.from_wallet_id
          AND (debit.type, debit.amount, debit.fee, debit.currency)
            = ('conversion_out', c.sell_amount, c.fee, c.from_currency)
        LEFT JOIN transactions credit ON credit.account_id = c.account_id AND credit.livemode = c.livemode
          AND credit.id = c.credit_transaction_id AND credit.wallet_id = c.to_wallet_id
          AND (credit.type, credit.amount, credit.currency) = ('conversion_in', c.buy_amount, c.to_currency)
        LEFT JOIN quotes q ON q.account_id = c.account_id AND q.livemode = c.livemode AND q.id = c.quote_id
          AND (q.used_by, q.used_by_resource) = (c.id, 'cnv')
          AND (q.sell_amount, q.buy_amount, q.fee) = (c.sell_amount, c.buy_amount, c.fee)
        LEFT JOIN (SELECT posting_id, count(*) AS entries FROM ledger_entries
                    WHERE transaction_id IS NOT NULL AND ${within('posting_id')} GROUP BY posting_id) e
          ON e.posting_id = c.id
        LEFT JOIN (SELECT object_id, count(*) AS events FROM events
                    WHERE type = 'conversion.successful' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY object_id) v
          ON v.object_id = c.id
       WHERE ${within('c.id')} AND (debit.id IS NULL OR credit.id IS NULL OR q.id IS NULL
             OR e.entries IS DISTINCT FROM 2 OR v.events IS DISTINCT FROM 1)`,
    ),
  },
];

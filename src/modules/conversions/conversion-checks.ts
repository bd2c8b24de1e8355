import { type Check, inPieces } from '../../core/database/checks';

/** What must hold between the books and the conversions. */
export const CONVERSION_CHECKS: readonly Check[] = [
  {
    // Whatever else moves two currencies in one posting is a mistake, though each of them balances.
    name: 'postings_in_two_currencies_are_conversions',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT e.posting_id FROM (
        SELECT e.posting_id FROM ledger_entries e
          JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
         WHERE ${within('e.posting_id')} GROUP BY e.posting_id HAVING min(a.currency) <> max(a.currency)
      ) e LEFT JOIN conversions c ON c.id = e.posting_id WHERE c.id IS NULL`,
    ),
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
          AND q.conversion_id = c.id AND (q.sell_amount, q.buy_amount, q.fee) = (c.sell_amount, c.buy_amount, c.fee)
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

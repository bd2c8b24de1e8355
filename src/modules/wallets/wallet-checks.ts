import { arrived, hasLeft } from '../../core/cells/slot-moves';
import { type Check, inPieces } from '../../core/database/checks';

/** What a successful transaction moved on its wallet. */
const TOTAL = `CASE t.direction WHEN 'debit' THEN -(t.amount + t.fee - t.commission) ELSE t.amount END`;

/** What must hold between the books and the resources that use them. */
export const WALLET_CHECKS: readonly Check[] = [
  {
    name: 'wallets_have_ledger_accounts',
    violations: `
      SELECT coalesce(w.id, a.id) AS wallet_id FROM wallets w
        FULL JOIN (SELECT * FROM ledger_accounts WHERE name = 'wallet' AND status <> 'moved') a
          ON a.account_id = w.account_id AND a.id = w.id
       WHERE (w.currency, w.livemode) IS DISTINCT FROM (a.currency, a.livemode)`,
  },
  {
    name: 'transactions_equal_entries',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT coalesce(t.id, e.transaction_id) AS transaction_id, t.status, ${TOTAL} AS total, e.sum
        FROM (SELECT * FROM transactions WHERE ${within('id')}) t FULL JOIN (
          SELECT account_id, transaction_id, ledger_account_id, sum(amount) AS sum
            FROM ledger_entries WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
           GROUP BY account_id, transaction_id, ledger_account_id
        ) e ON e.account_id = t.account_id AND e.transaction_id = t.id AND e.ledger_account_id = t.wallet_id
       WHERE (t.id IS NULL AND NOT ${hasLeft('e.transaction_id')})
          OR (t.status = 'successful' AND e.sum IS DISTINCT FROM ${TOTAL})`,
    ),
  },
  {
    name: 'transfers_are_complete',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT x.id AS transfer_id, debit.id IS NOT NULL AS has_debit, credit.id IS NOT NULL AS has_credit,
             e.entries, v.events
        FROM transfers x
        LEFT JOIN transactions debit ON debit.account_id = x.account_id AND debit.livemode = x.livemode
          AND debit.id = x.debit_transaction_id AND debit.wallet_id = x.from_wallet_id
          AND debit.counterparty_id = x.to_wallet_id
          AND (debit.type, debit.amount, debit.fee, debit.currency) = ('transfer_out', x.amount, x.fee, x.currency)
        LEFT JOIN transactions credit ON credit.account_id = x.to_account_id AND credit.livemode = x.livemode
          AND credit.id = x.credit_transaction_id AND credit.wallet_id = x.to_wallet_id
          AND credit.counterparty_id = x.from_wallet_id
          AND (credit.type, credit.amount, credit.currency) = ('transfer_in', x.amount, x.currency)
        LEFT JOIN (SELECT posting_id, count(*) AS entries FROM ledger_entries
                    WHERE transaction_id IS NOT NULL AND ${within('posting_id')} GROUP BY posting_id) e
          ON e.posting_id = x.id
        LEFT JOIN (SELECT object_id, count(*) AS events FROM events
                    WHERE type = 'transfer.successful' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY object_id) v
          ON v.object_id = x.id
       WHERE ${within('x.id')} AND (debit.id IS NULL OR credit.id IS NULL
             OR e.entries IS DISTINCT FROM 2 OR v.events IS DISTINCT FROM 1)
         AND NOT EXISTS (SELECT 1 FROM cell_transfers c
                          WHERE c.account_id = x.account_id AND c.livemode = x.livemode AND c.id = x.id)
         AND NOT ${arrived('x.id')} AND NOT ${hasLeft('x.to_account_id')}`,
    ),
  },
  {
    // Nothing is left of the hold of one that has ended, and somebody looks at one that has not.
    name: 'transfers_to_other_cells_are_complete',
    violations: inPieces(
      'cell_transfers',
      'id',
      (within) => `
      SELECT c.id AS transfer_id, x.status, t.status AS transaction_status, h.captured, h.released, v.events
        FROM cell_transfers c
        LEFT JOIN transfers x USING (account_id, livemode, id)
        LEFT JOIN transactions t ON t.account_id = x.account_id AND t.livemode = x.livemode
          AND t.id = x.debit_transaction_id AND t.wallet_id = x.from_wallet_id
          AND (t.type, t.amount, t.fee, t.currency) = ('transfer_out', x.amount, x.fee, x.currency)
        LEFT JOIN ledger_holds h ON h.account_id = t.account_id AND h.id = t.id AND h.amount = x.amount
        LEFT JOIN (SELECT object_id, count(*) AS events FROM events
                    WHERE type = 'transfer.successful' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY object_id) v ON v.object_id = c.id
       WHERE ${within('c.id')}
         AND (t.status IS DISTINCT FROM x.status
              OR h.captured IS DISTINCT FROM CASE x.status WHEN 'successful' THEN x.amount ELSE 0 END
              OR h.released IS DISTINCT FROM CASE x.status WHEN 'failed' THEN x.amount ELSE 0 END
              OR coalesce(v.events, 0) <> CASE x.status WHEN 'successful' THEN 1 ELSE 0 END
              OR (x.status = 'processing' AND c.next_check_at IS NULL))`,
    ),
  },
  {
    // Money that has left here is on its way, and so is, below zero, what has arrived. While slots move it is not said.
    name: 'money_in_transit_adds_up',
    violations: `
      SELECT currency, livemode, sum(sum) AS sum FROM (
        SELECT currency, livemode, available AS sum FROM ledger_accounts WHERE name = 'in_transit'
        UNION ALL
        SELECT x.currency, x.livemode, -x.amount FROM transfers x JOIN cell_transfers USING (account_id, livemode, id)
         WHERE x.status = 'successful'
        UNION ALL
        SELECT currency, livemode, amount FROM cell_credits WHERE refusal IS NULL
        UNION ALL
        SELECT currency, livemode, CASE m.way WHEN 'out' THEN -amount ELSE amount END FROM slot_move_sums
          JOIN slot_moves m ON m.id = move_id
      ) s WHERE NOT EXISTS (SELECT 1 FROM slot_moves WHERE ended_at IS NULL)
       GROUP BY currency, livemode HAVING sum(sum) <> 0`,
  },
  {
    name: 'credits_from_other_cells_have_transactions',
    violations: inPieces(
      'cell_credits',
      'transfer_id',
      (within) => `
      SELECT c.transfer_id, c.refusal, t.id AS transaction_id FROM cell_credits c
        LEFT JOIN transactions t ON t.account_id = c.account_id AND t.livemode = c.livemode
          AND t.id = c.credit_transaction_id AND t.wallet_id = c.to_wallet_id
          AND (t.type, t.amount, t.currency) = ('transfer_in', c.amount, c.currency)
       WHERE ${within('c.transfer_id')} AND (t.id IS NULL) <> (c.refusal IS NOT NULL)`,
    ),
  },
  {
    name: 'transfer_transactions_have_transfers',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT t.id AS transaction_id, t.type FROM transactions t
       WHERE ${within('t.id')} AND t.type IN ('transfer_out', 'transfer_in')
         AND NOT EXISTS (SELECT 1 FROM transfers x WHERE x.debit_transaction_id = t.id)
         AND NOT EXISTS (SELECT 1 FROM transfers x WHERE x.credit_transaction_id = t.id)
         AND NOT EXISTS (SELECT 1 FROM cell_credits c WHERE c.credit_transaction_id = t.id)
         AND NOT ${arrived('t.id')} AND NOT ${hasLeft('t.counterparty_id')}`,
    ),
  },
  {
    name: 'references_are_claimed_once',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT r.resource, r.id, r.reference, c.resource_id AS claimed_by FROM (
        SELECT 'trf' AS resource, account_id, livemode, id, reference FROM transfers
        UNION ALL SELECT 'wal', account_id, livemode, id, reference FROM wallets
        UNION ALL SELECT 'cnv', account_id, livemode, id, reference FROM conversions
        UNION ALL SELECT 'txn', account_id, livemode, id, reference FROM transactions
         WHERE type NOT IN ('transfer_out', 'transfer_in', 'conversion_out', 'conversion_in', 'card_issue', 'payment',
                            'payment_refund')
      ) r LEFT JOIN claims c ON c.account_id = r.account_id AND c.livemode = r.livemode
        AND c.kind = 'reference' AND c.value = r.reference
       WHERE ${within('r.id')} AND r.reference IS NOT NULL
         AND (c.resource, c.resource_id) IS DISTINCT FROM (r.resource, r.id)`,
    ),
  },
  {
    name: 'credits_are_announced',
    violations: inPieces(
      'transactions',
      'wallet_id',
      (within) => `
      SELECT coalesce(t.wallet_id, v.object_id) AS wallet_id, t.credits, v.events
        FROM (SELECT account_id, wallet_id, count(*) AS credits FROM transactions
               WHERE direction = 'credit' AND status IN ('successful', 'reversed') AND ${within('wallet_id')}
               GROUP BY account_id, wallet_id) t
        FULL JOIN (SELECT account_id, object_id, count(*) AS events FROM events
                    WHERE type = 'wallet.credited' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = t.account_id AND v.object_id = t.wallet_id
       WHERE t.credits IS DISTINCT FROM v.events`,
    ),
  },
  {
    name: 'wallets_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT w.id AS wallet_id, v.events FROM wallets w
        LEFT JOIN (SELECT account_id, object_id, count(*) AS events FROM events
                    WHERE type = 'wallet.created' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = w.account_id AND v.object_id = w.id
       WHERE ${within('w.id')} AND v.events IS DISTINCT FROM 1`,
    ),
  },
];

import { type Check, inPieces } from '../../core/database/checks';
import { referencesAreClaimedOnce } from '../../core/idempotency/claims';

/** What must hold between virtual accounts, what arrived at them, and the books. */
export const VIRTUAL_ACCOUNT_CHECKS: readonly Check[] = [
  {
    name: 'deposits_credit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT d.id AS deposit_id, t.id AS transaction_id, d.status, d.amount, t.amount AS credited, e.sum AS moved
        FROM (SELECT * FROM deposits WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}) d
        FULL JOIN (SELECT * FROM transactions
                    WHERE type = 'deposit' AND details ? 'deposit_id' AND ${within('id')}) t
          ON t.account_id = d.account_id AND t.livemode = d.livemode AND t.id = d.transaction_id
        LEFT JOIN (SELECT account_id, transaction_id, ledger_account_id, sum(amount) AS sum FROM ledger_entries
                    WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
                    GROUP BY account_id, transaction_id, ledger_account_id) e
          ON e.account_id = d.account_id AND e.transaction_id = d.transaction_id AND e.ledger_account_id = d.wallet_id
       WHERE d.id IS NULL OR (t.amount, e.sum, t.wallet_id, t.currency, t.status) IS DISTINCT FROM
                             (d.amount, d.amount::numeric, d.wallet_id, d.currency, 'successful')`,
    ),
  },
  {
    // What banks have for us is what wallets were given for it, less what banks keep.
    name: 'deposits_equal_what_banks_have',
    violations: `
      SELECT coalesce(a.name, 'deposits:' || d.provider) AS name, a.available, d.sum
        FROM (SELECT name, currency, livemode, sum(available) AS available FROM ledger_accounts
               WHERE account_id = '00000000-0000-0000-0000-000000000000' AND starts_with(name, 'deposits:')
               GROUP BY name, currency, livemode) a
        FULL JOIN (SELECT provider, currency, livemode, sum(amount - coalesce(provider_fee, 0)) AS sum FROM deposits
                    WHERE status = 'credited' GROUP BY provider, currency, livemode) d
          ON a.name = 'deposits:' || d.provider AND a.currency = d.currency AND a.livemode = d.livemode
       WHERE coalesce(a.available, 0) <> -coalesce(d.sum, 0)`,
  },
  {
    // What is not settled is somebody's to look at, or marked for a person: nothing is forgotten.
    name: 'open_deposits_are_due',
    violations: `
      SELECT id AS deposit_id, status FROM deposits
       WHERE status IN ('received', 'to_be_returned') AND next_check_at IS NULL AND review IS NULL`,
  },
  {
    name: 'open_virtual_accounts_are_due',
    violations: `
      SELECT id AS virtual_account_id, status FROM virtual_accounts
       WHERE next_check_at IS NULL
         AND (status = 'pending' OR (status = 'active' AND expires_at IS NOT NULL)
           OR (status IN ('used', 'expired', 'closed') AND is_open_there))`,
  },
  {
    name: 'used_virtual_accounts_had_a_transfer',
    violations: `
      SELECT v.id AS virtual_account_id FROM virtual_accounts v
       WHERE v.status = 'used' AND NOT EXISTS (
         SELECT 1 FROM deposits d WHERE d.account_id = v.account_id AND d.livemode = v.livemode
            AND d.virtual_account_id = v.id AND d.amount IS NOT NULL)`,
  },
  referencesAreClaimedOnce('virtual_account', 'virtual_accounts', 'vac'),
  {
    name: 'deposits_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT d.id AS deposit_id, d.status, v.events FROM deposits d
        LEFT JOIN (SELECT account_id, object_id, array_agg(type) AS events FROM events
                    WHERE object_type = 'dep' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = d.account_id AND v.object_id = d.id
       WHERE ${within('d.id')}
         AND (cardinality(array_positions(coalesce(v.events, '{}'), 'deposit.received'))
               <> (d.status = 'credited')::integer
           OR cardinality(array_positions(coalesce(v.events, '{}'), 'deposit.returned'))
               <> (d.status = 'returned')::integer
           OR (d.reviews > 0 AND NOT 'deposit.needs_review' = ANY (coalesce(v.events, '{}'))))`,
    ),
  },
];

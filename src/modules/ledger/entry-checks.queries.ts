import { type Check, inPieces, type Within } from '../../core/database/checks';
import { PLATFORM_ACCOUNT_ID } from './ledger.types';

const ENTRIES_WITH_ACCOUNTS = `ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id`;

/** The entries of an account in their order; `w` says which came before. */
const IN_ORDER = `WINDOW w AS (PARTITION BY account_id, ledger_account_id ORDER BY seq)`;

/** The entries of a piece, each with the one before it. */
const withBefore = (within: Within): string => `(${within('seq')} OR ${within('seq + 1')})`;

/** The invariants of the books that their own tables can prove. */
export const ENTRY_CHECKS: readonly Check[] = [
  {
    name: 'postings_balance',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT e.batch_id, e.posting_id, a.currency, a.livemode, sum(e.amount) AS sum FROM ${ENTRIES_WITH_ACCOUNTS} WHERE ${within('e.posting_id')}
       GROUP BY e.batch_id, e.posting_id, a.currency, a.livemode HAVING sum(e.amount) <> 0`,
    ),
  },
  {
    name: 'postings_keep_to_one_mode_and_currency',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT e.posting_id FROM ${ENTRIES_WITH_ACCOUNTS} WHERE ${within('e.posting_id')} GROUP BY e.posting_id
      HAVING min(a.currency) <> max(a.currency) OR bool_or(a.livemode) <> bool_and(a.livemode)`,
    ),
  },
  {
    name: 'books_balance',
    violations: `
      SELECT currency, livemode, sum(available + held) AS sum FROM ledger_accounts
       GROUP BY currency, livemode HAVING sum(available + held) <> 0`,
  },
  {
    name: 'balances_equal_entries',
    violations: inPieces(
      'ledger_entries',
      'ledger_account_id',
      (within) => `
      SELECT coalesce(a.id, e.ledger_account_id) AS ledger_account_id, a.available, e.available AS available_of_entries,
             a.held, e.held AS held_of_entries, a.seq, e.entries
        FROM (SELECT * FROM ledger_accounts WHERE ${within('id')}) a FULL JOIN (
          SELECT account_id, ledger_account_id, count(*) AS entries,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'held'), 0) AS held
            FROM ledger_entries WHERE ${within('ledger_account_id')} GROUP BY account_id, ledger_account_id
        ) e ON e.account_id = a.account_id AND e.ledger_account_id = a.id
       WHERE (a.available, a.held, a.seq)
         IS DISTINCT FROM (coalesce(e.available, 0), coalesce(e.held, 0), coalesce(e.entries, 0))`,
    ),
  },
  {
    name: 'entries_are_in_sequence',
    violations: inPieces(
      'ledger_entries',
      'seq',
      (within) => `
      SELECT ledger_account_id, seq, expected, created_at, previous_at FROM (
        SELECT ledger_account_id, seq, coalesce(lag(seq) OVER w + 1, 1) AS expected, created_at, lag(created_at) OVER w AS previous_at
          FROM ledger_entries WHERE ${withBefore(within)} ${IN_ORDER}
      ) e WHERE ${within('seq')} AND (seq <> expected OR created_at < previous_at)`,
    ),
  },
  {
    name: 'balances_continue',
    violations: inPieces(
      'ledger_entries',
      'seq',
      (within) => `
      SELECT ledger_account_id, seq, available_after, available, held_after, held FROM (
        SELECT ledger_account_id, seq, available_after, held_after,
               lag(available_after, 1, 0::bigint) OVER w + CASE bucket WHEN 'available' THEN amount ELSE 0 END AS available,
               lag(held_after, 1, 0::bigint) OVER w + CASE bucket WHEN 'held' THEN amount ELSE 0 END AS held
          FROM ledger_entries WHERE ${withBefore(within)} ${IN_ORDER}
      ) e WHERE ${within('seq')} AND (available_after <> available OR held_after <> held)`,
    ),
  },
  {
    name: 'nothing_is_overdrawn',
    violations: `
      SELECT ledger_account_id, seq, available_after AS available, held_after AS held FROM ledger_entries
       WHERE held_after < 0 OR (available_after < 0 AND account_id <> '${PLATFORM_ACCOUNT_ID}')
      UNION ALL
      SELECT id, seq, available, held FROM ledger_accounts
       WHERE held < 0 OR (available < 0 AND account_id <> '${PLATFORM_ACCOUNT_ID}')`,
  },
  {
    name: 'open_holds_equal_held',
    violations: inPieces(
      'ledger_holds',
      'ledger_account_id',
      (within) => `
      SELECT coalesce(a.id, h.ledger_account_id) AS ledger_account_id, a.held, h.open
        FROM (SELECT * FROM ledger_accounts WHERE ${within('id')}) a FULL JOIN (
          SELECT account_id, ledger_account_id, sum(amount - captured - released) AS open
            FROM ledger_holds WHERE ${within('ledger_account_id')} GROUP BY account_id, ledger_account_id
        ) h ON h.account_id = a.account_id AND h.ledger_account_id = a.id
       WHERE a.held IS DISTINCT FROM coalesce(h.open, 0)`,
    ),
  },
];

import { type Check, inPieces, type Within } from '../../core/database/checks';
import { ENTRY_ARRIVED } from '../../core/cells/slot-moves';
import { APPLICATION_ROLE } from '../../core/database/options';
import { PLATFORM_ACCOUNT_ID } from './posting';

const ENTRIES_WITH_ACCOUNTS = `
  ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id`;

/** The entries of an account in their order; `w` says which came before. */
const IN_ORDER = `WINDOW w AS (PARTITION BY account_id, ledger_account_id ORDER BY seq)`;

/** The entries of a piece, each with the one before it. */
const withBefore = (within: Within): string => `(${within('seq')} OR ${within('seq + 1')})`;

/** How far below zero an entry `e` might take its account when it was written. */
const LIMIT_OF_ENTRY = `coalesce((
  SELECT c.credit_limit FROM credit_lines c
   WHERE c.account_id = e.account_id AND c.ledger_account_id = e.ledger_account_id AND c.since_seq < e.seq
   ORDER BY c.version DESC LIMIT 1), 0)`;

/** Where the account of an entry `e` stood before its batch: a limit that is lowered calls nothing back. */
const AVAILABLE_BEFORE_BATCH = `(
  SELECT b.available_after - CASE b.bucket WHEN 'available' THEN b.amount ELSE 0 END FROM ledger_entries b
   WHERE b.account_id = e.account_id AND b.ledger_account_id = e.ledger_account_id
     AND b.created_at = e.created_at AND b.batch_id = e.batch_id
   ORDER BY b.seq LIMIT 1)`;

/** The invariants of the books that their own tables can prove. */
const ENTRY_CHECKS: readonly Check[] = [
  {
    name: 'postings_balance',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT e.batch_id, e.posting_id, a.currency, a.livemode, sum(e.amount) AS sum
        FROM ${ENTRIES_WITH_ACCOUNTS} WHERE ${within('e.posting_id')} AND NOT ${ENTRY_ARRIVED}
       GROUP BY e.batch_id, e.posting_id, a.currency, a.livemode HAVING sum(e.amount) <> 0`,
    ),
  },
  {
    name: 'postings_keep_to_one_mode',
    violations: inPieces(
      'ledger_entries',
      'posting_id',
      (within) => `
      SELECT e.posting_id FROM ${ENTRIES_WITH_ACCOUNTS} WHERE ${within('e.posting_id')} GROUP BY e.posting_id
      HAVING bool_or(a.livemode) <> bool_and(a.livemode)`,
    ),
  },
  {
    name: 'books_balance',
    // What came with its account is on the other side of the books of the cell where it was.
    violations: `
      SELECT currency, livemode, sum(sum) AS sum FROM (
        SELECT currency, livemode, available + held AS sum FROM ledger_accounts
        UNION ALL
        SELECT a.currency, a.livemode, -v.balance FROM ledger_arrivals v
          JOIN ledger_accounts a ON a.account_id = v.account_id AND a.id = v.ledger_account_id
      ) s GROUP BY currency, livemode HAVING sum(sum) <> 0`,
  },
  {
    // Ids of wallets and cards are there once; those of ledger accounts have no key of their own: see `place`.
    name: 'ledger_accounts_are_there_once',
    violations: `
      SELECT account_id, id AS ledger_account_id, count(*) AS rows FROM ledger_accounts
       GROUP BY account_id, id HAVING count(*) > 1`,
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
        SELECT ledger_account_id, seq, coalesce(lag(seq) OVER w + 1, 1) AS expected, created_at,
               lag(created_at) OVER w AS previous_at
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
               lag(available_after, 1, 0::bigint) OVER w
                 + CASE bucket WHEN 'available' THEN amount ELSE 0 END AS available,
               lag(held_after, 1, 0::bigint) OVER w + CASE bucket WHEN 'held' THEN amount ELSE 0 END AS held
          FROM ledger_entries WHERE ${withBefore(within)} ${IN_ORDER}
      ) e WHERE ${within('seq')} AND (available_after <> available OR held_after <> held)`,
    ),
  },
  {
    name: 'nothing_is_overdrawn',
    violations: `
      SELECT ledger_account_id, seq, available_after AS available, held_after AS held FROM ledger_entries e
       WHERE held_after < 0 OR (available_after < 0 AND account_id <> '${PLATFORM_ACCOUNT_ID}'
             AND available_after < least(-${LIMIT_OF_ENTRY}, ${AVAILABLE_BEFORE_BATCH}))
      UNION ALL
      SELECT id, seq, available, held FROM ledger_accounts
       WHERE held < 0 OR (available < lowest AND account_id <> '${PLATFORM_ACCOUNT_ID}')`,
  },
  {
    name: 'credit_limits_are_kept',
    violations: `
      SELECT a.id AS ledger_account_id, a.credit_limit, a.lowest, c.credit_limit AS kept FROM ledger_accounts a
        LEFT JOIN (SELECT DISTINCT ON (account_id, ledger_account_id) account_id, ledger_account_id, credit_limit
                     FROM credit_lines ORDER BY account_id, ledger_account_id, version DESC) c
          ON c.account_id = a.account_id AND c.ledger_account_id = a.id
       WHERE a.credit_limit <> coalesce(c.credit_limit, 0) OR (a.lowest < 0 AND c.credit_limit IS NULL)`,
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

// Character by character what `digestOf` makes of an entry. `trim_scale` shows microseconds that we never wrote.
const LINE = `concat_ws('|', ledger_account_id, lpad(seq::text, 20, '0'), account_id, posting_id,
  coalesce(transaction_id::text, ''), bucket, amount, available_after, held_after,
  trim_scale(extract(epoch FROM created_at) * 1000))`;

/** Number and digest of the entries of a ledger account, up to that of an arrival. */
export const entriesThrough = (arrival: string): string => `
  SELECT count(*) AS entries,
         sha256(convert_to(coalesce(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), ''), 'UTF8')) AS digest
    FROM (SELECT ${LINE} AS line FROM ledger_entries e
           WHERE e.account_id = ${arrival}.account_id AND e.ledger_account_id = ${arrival}.ledger_account_id
             AND e.seq <= ${arrival}.through_seq) l`;

const GENESIS = `decode(repeat('00', 32), 'hex')`;

/** What only someone with more rights than the application could have done. */
const SEAL_CHECKS: readonly Check[] = [
  {
    name: 'entries_match_their_batch',
    violations: inPieces(
      'ledger_entries',
      'batch_id',
      (within) => `
      SELECT coalesce(b.id, e.batch_id) AS batch_id, b.position, e.entries
        FROM (SELECT * FROM ledger_batches WHERE ${within('id')}) b FULL JOIN (
          SELECT batch_id, count(*) AS entries,
                 sha256(convert_to(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), 'UTF8')) AS digest
            FROM (SELECT batch_id, ${LINE} AS line FROM ledger_entries e
                   WHERE ${within('batch_id')} AND NOT ${ENTRY_ARRIVED}) l
           GROUP BY batch_id
        ) e ON e.batch_id = b.id
       WHERE e.digest IS DISTINCT FROM b.digest`,
    ),
  },
  {
    // What other cells have sealed is as it came. While a move is under way its digest is not there yet.
    name: 'arrived_entries_are_as_they_came',
    violations: inPieces(
      'ledger_arrivals',
      'ledger_account_id',
      (within) => `
      SELECT v.ledger_account_id, v.through_seq, e.entries
        FROM (SELECT * FROM ledger_arrivals WHERE ${within('ledger_account_id')}) v
        JOIN slot_moves m ON m.id = v.move_id AND m.ended_at IS NOT NULL
        LEFT JOIN LATERAL (${entriesThrough('v')}) e ON true
       WHERE e.digest IS DISTINCT FROM v.digest`,
    ),
  },
  {
    name: 'batches_are_chained',
    violations: inPieces(
      'ledger_batches',
      'position',
      (within) => `
      SELECT id AS batch_id, position, expected FROM (
        SELECT id, digest, position, chain, coalesce(lag(position) OVER w + 1, 1) AS expected,
               lag(chain, 1, ${GENESIS}) OVER w AS previous
          FROM ledger_batches WHERE position IS NOT NULL AND (${within('position')} OR ${within('position + 1')})
            WINDOW w AS (ORDER BY position, id)
      ) b
       WHERE ${within('position')} AND (position <> expected OR chain <> sha256(previous || uuid_send(id) || digest))`,
    ),
  },
  {
    name: 'application_cannot_rewrite_history',
    violations: `
      SELECT c.relname AS "table", kind AS "right"
        FROM pg_class c CROSS JOIN unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS kind
       WHERE (c.oid = 'ledger_entries'::regclass
              OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'ledger_entries'::regclass))
         AND (has_table_privilege('${APPLICATION_ROLE}', c.oid, kind)
              OR (kind = 'UPDATE' AND has_any_column_privilege('${APPLICATION_ROLE}', c.oid, kind)))
      UNION ALL
      SELECT 'ledger_batches', kind FROM unnest(ARRAY['DELETE', 'TRUNCATE']) AS kind
       WHERE has_table_privilege('${APPLICATION_ROLE}', 'ledger_batches', kind)
      UNION ALL
      SELECT 'ledger_batches', 'UPDATE of ' || part FROM unnest(ARRAY['id', 'digest']) AS part
       WHERE has_column_privilege('${APPLICATION_ROLE}', 'ledger_batches', part, 'UPDATE')`,
  },
];

interface NotedHead {
  readonly position: string;
  readonly chain: string;
}

/** Holds when the chain still has every link that someone noted earlier. */
const headCheck = (heads: readonly NotedHead[]): Check => ({
  name: 'chain_has_the_noted_head',
  violations: `
    SELECT position FROM unnest('{${heads.map(({ position }) => position).join()}}'::bigint[],
                                '{${heads.map(({ chain }) => chain).join()}}'::text[]) AS noted (position, chain)
     WHERE NOT EXISTS (SELECT 1 FROM ledger_batches b
                        WHERE b.position = noted.position AND b.chain = decode(noted.chain, 'hex'))
     ORDER BY position`,
});

/** What must hold of the books, whatever they are used for. */
export const LEDGER_CHECKS: readonly Check[] = [...ENTRY_CHECKS, ...SEAL_CHECKS];

const HEAD = /^(\d{1,18}):([0-9a-f]{64})$/;
/** As the sealer logs it, with whatever a collector of logs puts around it. */
const LOGGED = /"context":"seal".*"position":"(\d{1,18})","chain":"([0-9a-f]{64})"/;

/**
 * The check for the heads of a text, each on a line of its own: `<position>:<chain in hex>`, or a line that the sealer
 * logged. Other lines are passed over; null when there is no head at all.
 */
export function checkOfHead(text: string): Check | null {
  const heads = text.split('\n').flatMap((line) => {
    const [, position, chain] = HEAD.exec(line) ?? LOGGED.exec(line) ?? [];
    return position && chain ? { position, chain } : [];
  });
  return heads.length > 0 ? headCheck(heads) : null;
}

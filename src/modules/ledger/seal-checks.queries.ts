import { type Check, inPieces } from '../../core/database/checks';
import { APPLICATION_ROLE } from '../../core/database/options';

// Character by character what `digestOf` makes of an entry. `trim_scale` shows microseconds that we never wrote.
const LINE = `concat_ws('|', ledger_account_id, lpad(seq::text, 20, '0'), account_id, posting_id, coalesce(transaction_id::text, ''),
  bucket, amount, available_after, held_after, trim_scale(extract(epoch FROM created_at) * 1000))`;

const GENESIS = `decode(repeat('00', 32), 'hex')`;

/** What only someone with more rights than the application could have done. */
export const SEAL_CHECKS: readonly Check[] = [
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
            FROM (SELECT batch_id, ${LINE} AS line FROM ledger_entries WHERE ${within('batch_id')}) l GROUP BY batch_id
        ) e ON e.batch_id = b.id
       WHERE e.digest IS DISTINCT FROM b.digest`,
    ),
  },
  {
    name: 'batches_are_chained',
    violations: inPieces(
      'ledger_batches',
      'position',
      (within) => `
      SELECT id AS batch_id, position, expected FROM (
        SELECT id, digest, position, chain, coalesce(lag(position) OVER w + 1, 1) AS expected, lag(chain, 1, ${GENESIS}) OVER w AS previous
          FROM ledger_batches WHERE position IS NOT NULL AND (${within('position')} OR ${within('position + 1')}) WINDOW w AS (ORDER BY position, id)
      ) b WHERE ${within('position')} AND (position <> expected OR chain <> sha256(previous || uuid_send(id) || digest))`,
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

/** Holds when the chain still has the link that someone noted earlier. */
export const headCheck = (position: bigint, chain: Buffer): Check => ({
  name: 'chain_has_the_noted_head',
  violations: `
    SELECT ${position} AS position WHERE NOT EXISTS (
      SELECT 1 FROM ledger_batches WHERE position = ${position} AND chain = '\\x${chain.toString('hex')}')`,
});

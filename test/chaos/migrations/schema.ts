import type { Client } from 'pg';

/** Our tables; a partition is compared with its parent alone. */
const OURS = `relnamespace = 'public'::regnamespace AND NOT relispartition`;

/** What the function of the numbers of events adds: each database has its own. */
const EPOCH = '(FUNCTION public.event_number[(].*[+] )[0-9]+';

const CATALOGUE = `
  SELECT format('table %s %s %s %s', relname, relkind, reloptions, array(SELECT a::text FROM unnest(relacl) a ORDER BY 1)) AS line
    FROM pg_class WHERE ${OURS}
  UNION ALL
  SELECT format('column %s.%s %s %s not null %s default %s %s %s', relname, attname, attnum,
           format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attgenerated,
           array(SELECT a::text FROM unnest(attacl) a ORDER BY 1))
    FROM pg_class c JOIN pg_attribute ON attrelid = c.oid LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
   WHERE ${OURS} AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT format('constraint %s.%s %s valid %s', relname, conname, pg_get_constraintdef(o.oid), convalidated)
    FROM pg_class c JOIN pg_constraint o ON conrelid = c.oid WHERE ${OURS}
  UNION ALL
  SELECT format('index %s valid %s', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE ${OURS}
  UNION ALL
  SELECT format('function %s %s', regexp_replace(pg_get_functiondef(oid), '${EPOCH}', '\\1an epoch'), array(SELECT a::text FROM unnest(proacl) a ORDER BY 1))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
  UNION ALL
  SELECT format('%s of %s not as of its parent: %s', kind, c.relname, said)
    FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid JOIN LATERAL (
      SELECT 'constraint' AS kind, conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated AS said
        FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c' AND coninhcount = 0
      UNION ALL
      SELECT 'index', indexrelid::regclass::text FROM pg_index
       WHERE indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_inherits p WHERE p.inhrelid = indexrelid)) more ON true
   WHERE c.relkind = 'r'`;

/** Each thing of the schema as a line of text. */
export async function schemaOf(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ line: string }>(CATALOGUE);
  return new Set(rows.map(({ line }) => line));
}

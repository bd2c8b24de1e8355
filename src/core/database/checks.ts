import type { DataSource } from 'typeorm';

/** Something that must never be found in the database. */
export interface Check {
  readonly name: string;
  /** Selects every violation, a row each, with whatever helps to look into it. */
  readonly violations: string | Walk;
}

/** The condition that a column is within the piece. */
export type Within = (column: string) => string;

/** Violations that are looked for range by range of a key. */
export interface Walk {
  readonly table: string;
  readonly key: string;
  readonly select: (within: Within) => string;
}

export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  /** Number of violations. */
  readonly found: number;
  /** The first few of them. */
  readonly sample: readonly object[];
}

export interface CheckOptions {
  /** How much of a walked table a piece has, about. */
  readonly pieceBytes?: number;
  /** Called after each piece of those that have several. */
  readonly progress?: (check: string, done: number, of: number) => void;
  /** Once it is aborted no further piece is begun. */
  readonly signal?: AbortSignal;
}

const SAMPLE_ROWS = 5;
const PIECE_BYTES = 512 * 2 ** 20;
const BLOCK_BYTES = 8_192;
const SAMPLE_BLOCKS = 100;

/**
 * A check of tables that grow with every request: in pieces of about `PIECE_BYTES` of `table`, by ranges of its column
 * `key`. `select` narrows each table it reads to the piece, so that what is compared is in the same one.
 */
export const inPieces = (table: string, key: string, select: (within: Within) => string): Walk => ({
  table,
  key,
  select,
});

/** The first id whose row of a partitioned table is kept still. */
export const firstKept = (table: string): string => `
  (SELECT uuid_v7_floor(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
            - make_interval(months => coalesce(keep_months, 1200)))
     FROM partitioned_tables WHERE name = '${table}')`;

/** All violations at once. */
export const atOnce = (violations: string | Walk): string =>
  typeof violations === 'string' ? violations : violations.select(() => 'TRUE');

/**
 * Runs each check, and each piece of one, on a snapshot of its own, which is correct while the service is writing: what
 * a check compares, it reads in one statement. One snapshot over all of them would keep vacuum from cleaning up for as
 * long as they take together. Writes nothing.
 */
export async function runChecks(
  dataSource: DataSource,
  checks: readonly Check[],
  options: CheckOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, violations } of checks) {
    const pieces =
      typeof violations === 'string'
        ? [violations]
        : await piecesOf(dataSource, violations, options.pieceBytes ?? PIECE_BYTES);
    let result: CheckResult = { check: name, ok: true, found: 0, sample: [] };
    for (const [i, piece] of pieces.entries()) {
      options.signal?.throwIfAborted();
      result = await addPiece(dataSource, result, piece);
      if (pieces.length > 1) options.progress?.(name, i + 1, pieces.length);
    }
    results.push(result);
  }
  return results;
}

/**
 * Bounds are quantiles of a sample of blocks: the pieces are about alike, and nothing has to be sorted or counted for
 * them.
 */
async function piecesOf(dataSource: DataSource, { table, key, select }: Walk, pieceBytes: number): Promise<string[]> {
  const [{ bytes }] = await dataSource.query(
    `SELECT coalesce((SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree($1::regclass)),
      pg_relation_size($1::regclass))::float8 AS bytes`,
    [table],
  );
  const count = Math.ceil(bytes / pieceBytes);
  if (count <= 1) return [select(() => 'TRUE')];
  const percent = Math.min(100, (100 * SAMPLE_BLOCKS * BLOCK_BYTES) / pieceBytes);
  const fractions = Array.from({ length: count - 1 }, (_, i) => (i + 1) / count);
  const [{ quantiles }] = await dataSource.query(
    `SELECT percentile_disc($1::float8[]) WITHIN GROUP (ORDER BY ${key})::text[] AS quantiles
      FROM ${table} TABLESAMPLE SYSTEM (${percent})`,
    [fractions],
  );
  const bounds = [...new Set<string>((quantiles as (string | null)[] | null)?.filter((bound) => bound !== null) ?? [])];
  return [...bounds, null].map((to, i) => {
    const from = bounds[i - 1];
    return select((column) =>
      [from === undefined ? 'TRUE' : `${column} >= '${from}'`, to === null ? 'TRUE' : `${column} < '${to}'`].join(
        ' AND ',
      ),
    );
  });
}

function addPiece(
  dataSource: DataSource,
  { check, found, sample }: CheckResult,
  violations: string,
): Promise<CheckResult> {
  return dataSource.transaction('REPEATABLE READ', async (snapshot) => {
    // Each piece reads whole tables: row by row, which a planner that thinks them small would choose, takes hours of
    // millions.
    await snapshot.query(`SET LOCAL enable_nestloop = off`);
    await snapshot.query(`SET LOCAL work_mem = '64MB'`);
    const rows: { found: number; violation: object }[] = await snapshot.query(
      `WITH violations AS MATERIALIZED (${violations})
       SELECT (SELECT count(*)::integer FROM violations) AS found, to_jsonb(v) AS violation
         FROM violations v LIMIT ${SAMPLE_ROWS}`,
    );
    const total = found + (rows[0]?.found ?? 0);
    return {
      check,
      ok: total === 0,
      found: total,
      sample: [...sample, ...rows.map(({ violation }) => violation)].slice(0, SAMPLE_ROWS),
    };
  });
}

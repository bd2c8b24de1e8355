import type { DataSource } from 'typeorm';

/** Something that must never be found in the database. */
export interface Check {
  readonly name: string;
  /** Selects every violation, a row each, with whatever helps to look into it. */
  readonly violations: string;
}

export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  /** Number of violations. */
  readonly found: number;
  /** The first few of them. */
  readonly sample: readonly object[];
}

const SAMPLE_ROWS = 5;

/**
 * Runs each check on a snapshot of its own, which is correct while the service is writing: what a check compares, it reads in
 * one statement. One snapshot over all of them would keep vacuum from cleaning up for as long as they take together. Writes nothing.
 */
export async function runChecks(dataSource: DataSource, checks: readonly Check[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(dataSource, check));
  return results;
}

function runCheck(dataSource: DataSource, { name, violations }: Check): Promise<CheckResult> {
  return dataSource.transaction('REPEATABLE READ', async (snapshot) => {
    // Each check reads whole tables: row by row, which a planner that thinks them small would choose, takes hours of millions.
    await snapshot.query(`SET LOCAL enable_nestloop = off`);
    await snapshot.query(`SET LOCAL work_mem = '64MB'`);
    const rows: { found: number; violation: object }[] = await snapshot.query(
      `WITH violations AS MATERIALIZED (${violations})
       SELECT (SELECT count(*)::integer FROM violations) AS found, to_jsonb(v) AS violation FROM violations v LIMIT ${SAMPLE_ROWS}`,
    );
    return {
      check: name,
      ok: rows.length === 0,
      found: rows[0]?.found ?? 0,
      sample: rows.map(({ violation }) => violation),
    };
  });
}

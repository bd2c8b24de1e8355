import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Env } from '../src/core/config/env';
import { inPieces, runChecks } from '../src/core/database/checks';
import { dataSourceOptions } from '../src/core/database/options';
import { Partitions } from '../src/core/database/partitions';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { Idempotency } from '../src/core/idempotency/idempotency';
import { registry } from '../src/core/metrics/metrics';
import { selectDue } from '../src/providers/requeries';
import { createTestDatabase, type TestDatabase } from './support/database';

let database: TestDatabase;
let superuser: Client;
/** With the rights of the application. */
let dataSource: DataSource;
let env: Env;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  env = Object.assign(new Env(), { DATABASE_URL: database.url });
  dataSource = await new DataSource(dataSourceOptions(env)).initialize();
});

afterAll(async () => {
  await dataSource.destroy();
  await superuser.end();
  await database.drop();
});

it('forgets keys after 30 days, however many, and references never', async () => {
  await superuser.query(`
    INSERT INTO claims (account_id, livemode, kind, value, fingerprint, resource, resource_id, created_at)
    SELECT gen_random_uuid(), false, kind, 'c' || i, '', 'trf', gen_random_uuid(), now() - make_interval(days => age)
      FROM generate_series(1, 6000) i, unnest(ARRAY['key', 'reference']) kind, unnest(ARRAY[29, 31]) age`);
  await new Idempotency(new UnitOfWork(dataSource), null as never, dataSource).purge();
  const { rows } = await superuser.query(`
    SELECT kind, (now() - created_at) > interval '30 days' AS old, count(*)::int FROM claims GROUP BY 1, 2 ORDER BY 1, 2`);
  expect(rows).toEqual([
    { kind: 'key', old: false, count: 6000 },
    { kind: 'reference', old: false, count: 6000 },
    { kind: 'reference', old: true, count: 6000 },
  ]);
});

it('makes the partitions of this month and the next two', async () => {
  const partitions = async () =>
    (
      await superuser.query(`SELECT inhparent::regclass::text || ' ' || right(inhrelid::regclass::text, 7) AS name FROM pg_inherits
      WHERE inhparent::regclass::text IN (SELECT name FROM partitioned_tables) AND inhrelid::regclass::text NOT LIKE '%_pkey' ORDER BY 1`)
    ).rows;
  const before = await partitions();
  const { rows } = await superuser.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent::regclass::text IN (SELECT name FROM partitioned_tables)`);
  for (const { name } of rows) await superuser.query(`DROP TABLE ${name}`);
  expect(await partitions()).toEqual([]);
  await new Partitions(dataSource, env).ensure();
  await new Partitions(dataSource, env).ensure();
  expect(await partitions()).toEqual(before);
});

it('drops months of the request log that are older than three, and of nothing else', async () => {
  const month = (ago: number) =>
    `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '${ago} months'`;
  const old: string[] = [];
  for (const table of ['request_log', 'events']) {
    for (const ago of [3, 4, 12]) {
      const {
        rows: [{ name, from, to }],
      } = await superuser.query(
        `SELECT $1 || to_char((${month(ago)}) AT TIME ZONE 'UTC', '_YYYY_MM') AS name, uuid_v7_floor(${month(ago)}) AS from, uuid_v7_floor(${month(ago - 1)}) AS to`,
        [table],
      );
      await superuser.query(`CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`);
      old.push(name);
    }
  }
  await new Partitions(dataSource, env).keep();
  const { rows } = await superuser.query('SELECT relname FROM pg_class WHERE relname = ANY($1) ORDER BY relname', [
    old,
  ]);
  expect(rows.map(({ relname }) => relname)).toEqual([...old.slice(3), old[0]!].toSorted((a, b) => (a < b ? -1 : 1)));
  await expect(dataSource.query('DROP TABLE request_log')).rejects.toThrow('must be owner');
});

describe('making partitions', () => {
  const NEXT = `to_char(now() AT TIME ZONE 'UTC' + interval '1 month', '_YYYY_MM')`;
  const lastMonths = async (): Promise<string[]> =>
    (
      await superuser.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN partitioned_tables ON name = inhparent::regclass::text
      WHERE c.relname = name || ${NEXT}`)
    ).rows.map(({ name }) => name as string);

  it('waits for no open read, and nobody waits for it', async () => {
    for (const name of await lastMonths()) await superuser.query(`DROP TABLE ${name}`);
    const [reader, maker] = [
      new Client({ connectionString: database.url }),
      new Client({ connectionString: database.url }),
    ];
    await Promise.all([reader.connect(), maker.connect()]);
    await reader.query('BEGIN; SELECT count(*) FROM ledger_entries; SELECT count(*) FROM events');
    await maker.query(`BEGIN; SET lock_timeout = '1s'; SELECT ensure_monthly_partitions(2)`);
    const { rows } = await superuser.query(
      `SELECT relation::regclass::text FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation::regclass::text IN (SELECT name FROM partitioned_tables)`,
    );
    expect(rows).toEqual([]);
    await superuser.query(`BEGIN; SET LOCAL lock_timeout = '1s'; INSERT INTO claims (account_id, livemode, kind, value, fingerprint, resource, resource_id)
      VALUES (gen_random_uuid(), false, 'key', 'x', '', 'trf', gen_random_uuid()); SELECT count(*) FROM ledger_entries; ROLLBACK`);
    await maker.query('COMMIT');
    await Promise.all([reader.end(), maker.end()]);
    expect(await lastMonths()).not.toEqual([]);
  });

  it('makes partitions with the keys, checks and indexes of their parent', async () => {
    const { rows } = await superuser.query(`
      SELECT p.name FROM partitioned_tables p
       WHERE (SELECT count(*) FROM pg_index WHERE indrelid = p.name::regclass) <> (SELECT count(*) FROM pg_index WHERE indrelid = (p.name || ${NEXT})::regclass)
          OR (SELECT count(*) FROM pg_constraint WHERE conrelid = p.name::regclass) <> (SELECT count(*) FROM pg_constraint WHERE conrelid = (p.name || ${NEXT})::regclass)`);
    expect(rows).toEqual([]);
  });

  it('is not waited for at the start of a process that has this and the next month', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('ensure_monthly_partitions'))`);
    await new Partitions(dataSource, env).onApplicationBootstrap();
    await holder.query('ROLLBACK');
    const [missing] = await lastMonths();
    await superuser.query(`DROP TABLE ${missing}`);
    await new Partitions(dataSource, env).onApplicationBootstrap();
    expect(await lastMonths()).toContain(missing);
    await holder.end();
  });
});

describe('statistics of partitioned tables', () => {
  const parents = async () =>
    (
      await superuser.query(
        `SELECT name, (SELECT count(*)::int FROM pg_stats WHERE tablename = name AND inherited) AS columns FROM partitioned_tables ORDER BY name`,
      )
    ).rows;

  it('are made for every parent that has rows, and a job says how old they are', async () => {
    await superuser.query(`
      INSERT INTO request_log (account_id, livemode, id, method, path, route, status, duration_ms, replayed, ip)
      SELECT gen_random_uuid(), false, uuid_v7_floor(now() + make_interval(secs => i)), 'GET', '/', '/', 200, 1, false, '::1' FROM generate_series(1, 500) i`);
    expect((await parents()).every(({ columns }) => columns === 0)).toBe(true);
    await new Partitions(dataSource, env).analyze();
    expect((await parents()).filter(({ columns }) => columns > 0).map(({ name }) => name)).toContain('request_log');
    const { rows } = await superuser.query(
      `SELECT count(*)::int AS missing FROM partitioned_tables JOIN pg_stat_user_tables ON relname = name WHERE last_analyze IS NULL`,
    );
    expect(rows).toEqual([{ missing: 0 }]);
    const metric = await registry.getSingleMetricAsString('database_statistics_age_seconds');
    expect(metric).toMatch(/database_statistics_age_seconds\{table="ledger_entries"\} \d/);
  });

  it('of a table that somebody holds are left for tomorrow, those of the others are made', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE audit_log IN SHARE UPDATE EXCLUSIVE MODE`);
    const {
      rows: [{ at }],
    } = await superuser.query('SELECT clock_timestamp() AS at');
    await new Partitions(dataSource, env).analyze();
    await holder.end();
    const { rows } = await superuser.query(
      `SELECT relname FROM pg_stat_user_tables JOIN partitioned_tables ON name = relname WHERE last_analyze < $1`,
      [at],
    );
    expect(rows).toEqual([{ relname: 'audit_log' }]);
  });
});

it('what is due is found among what waits, by real time and by test clocks, and what only waits is not read', async () => {
  await superuser.query(`
    WITH shops AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 200))
    INSERT INTO sandbox_callbacks (account_id, id, provider, says, manner, next_check_at)
    SELECT s.id, gen_random_uuid(), 'sandbox', 'delivered', 'late', now() + interval '1 hour' + i * interval '1 minute'
      FROM shops s, generate_series(1, 200) i`);
  const { rows: shops } = await superuser.query(
    `UPDATE sandbox_callbacks SET next_check_at = now() - interval '1 minute'
      WHERE (account_id, id) IN (SELECT DISTINCT ON (account_id) account_id, id FROM sandbox_callbacks LIMIT 15)
      RETURNING account_id`,
  );
  await superuser.query(`INSERT INTO test_clocks (account_id, offset_ms) VALUES ($1, $2)`, [
    shops[0].account_id,
    66.5 * 60_000,
  ]);
  await superuser.query('ANALYZE sandbox_callbacks, test_clocks');
  const [{ 'QUERY PLAN': plan }] = (
    await superuser.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${selectDue('sandbox_callbacks').replaceAll('$1', 'NULL').replaceAll('$2', '500')}`,
    )
  ).rows;
  expect([20, 21]).toContain(plan[0].Plan['Actual Rows']);
  expect(rowsRead(plan[0].Plan)).toBeLessThan(200);
});

/** Of tables and indexes, also what a filter threw away. */
function rowsRead(node: Record<string, any>): number {
  const [rows, loops, removed] = ['Actual Rows', 'Actual Loops', 'Rows Removed by Filter'].map(
    (name) => node[name] ?? 0,
  );
  const own = 'Relation Name' in node ? (rows + removed) * loops : 0;
  return (node.Plans ?? []).reduce((sum: number, part: Record<string, any>) => sum + rowsRead(part), own);
}

it.each([
  ['of this database', () => database.url],
  [
    'of another one of the server, up to which the relay goes as well',
    () => Object.assign(new URL(database.url), { pathname: 'postgres' }).href,
  ],
])('the age of the oldest open transaction is known: one %s', async (_, url) => {
  const other = new Client({ connectionString: url() });
  await other.connect();
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_sleep(0.2)');
  const oldest = async (): Promise<number> => {
    new Partitions(dataSource, env);
    return Number(
      /^database_oldest_snapshot_seconds (.*)/m.exec(
        await registry.getSingleMetricAsString('database_oldest_snapshot_seconds'),
      )![1],
    );
  };
  const {
    rows: [{ since }],
  } = await other.query(
    'SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  );
  expect(await oldest()).toBeGreaterThanOrEqual(since);
  await other.end();
});

it('verify:ledger keeps no snapshot from one check to the next', async () => {
  const checks = ['one', 'other'].map((name) => ({ name, violations: 'SELECT now() AS began FROM pg_sleep(0.01)' }));
  const [one, other] = await runChecks(dataSource, checks);
  expect(one!.sample).not.toEqual(other!.sample);
});

describe('a table that verify:ledger walks in pieces', () => {
  const idOf = (i: number) => `${i.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;
  let pieceBytes: number;

  beforeAll(async () => {
    await superuser.query(`
      TRUNCATE claims;
      INSERT INTO claims (account_id, livemode, kind, value, fingerprint, resource, resource_id)
      SELECT gen_random_uuid(), false, 'key', 'p' || i, '', 'trf', (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-000000000000')::uuid
        FROM generate_series(1, 3000) i`);
    const { rows } = await superuser.query(`SELECT pg_relation_size('claims')::int AS bytes`);
    pieceBytes = Math.ceil(rows[0].bytes / 3);
  });

  it('is read on a snapshot of its own for each, which together are the whole of it', async () => {
    const violations = inPieces(
      'claims',
      'resource_id',
      (within) =>
        `SELECT now() AS began, count(*)::int AS rows FROM claims, pg_sleep(0.01) WHERE ${within('resource_id')}`,
    );
    const shown: string[] = [];
    const progress = (check: string, done: number, of: number) => shown.push(`${check} ${done}/${of}`);
    const [result] = await runChecks(dataSource, [{ name: 'all', violations }], { pieceBytes, progress });
    const pieces = result!.sample as { began: string; rows: number }[];
    expect(pieces.map(({ rows }) => rows)).toEqual([999, 1_000, 1_001]);
    expect(new Set(pieces.map(({ began }) => began)).size).toBe(3);
    expect(shown).toEqual(['all 1/3', 'all 2/3', 'all 3/3']);
  });

  it.each([1, 1_500, 3_000])('is seen to be wrong in row %i, once', async (row) => {
    await superuser.query(`UPDATE claims SET value = 'planted' WHERE resource_id = $1`, [idOf(row)]);
    const violations = inPieces(
      'claims',
      'resource_id',
      (within) => `SELECT resource_id FROM claims WHERE value = 'planted' AND ${within('resource_id')}`,
    );
    const [result] = await runChecks(dataSource, [{ name: 'planted', violations }], { pieceBytes });
    await superuser.query(`UPDATE claims SET value = 'mended' WHERE value = 'planted'`);
    expect(result).toEqual({ check: 'planted', ok: false, found: 1, sample: [{ resource_id: idOf(row) }] });
  });
});

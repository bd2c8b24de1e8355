import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Env } from '../src/core/config/env';
import { dataSourceOptions } from '../src/core/database/options';
import { Partitions } from '../src/core/database/partitions';
import { KeyExpiry } from '../src/core/idempotency/key-expiry';
import { createTestDatabase, type TestDatabase } from './support/database';

let database: TestDatabase;
let superuser: Client;
/** With the rights of the application. */
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  dataSource = await new DataSource(dataSourceOptions(Object.assign(new Env(), { DATABASE_URL: database.url }))).initialize();
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
  await new KeyExpiry(dataSource).purge();
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
    (await superuser.query(`SELECT inhparent::regclass::text || ' ' || right(inhrelid::regclass::text, 7) AS name FROM pg_inherits
      WHERE inhparent::regclass::text IN (SELECT name FROM partitioned_tables) AND inhrelid::regclass::text NOT LIKE '%_pkey' ORDER BY 1`)).rows;
  const before = await partitions();
  const { rows } = await superuser.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent::regclass::text IN (SELECT name FROM partitioned_tables)`);
  for (const { name } of rows) await superuser.query(`DROP TABLE ${name}`);
  expect(await partitions()).toEqual([]);
  await new Partitions(dataSource).ensure();
  await new Partitions(dataSource).ensure();
  expect(await partitions()).toEqual(before);
});

it('drops months of the request log that are older than three, and of nothing else', async () => {
  const month = (ago: number) => `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '${ago} months'`;
  const old: string[] = [];
  for (const table of ['request_log', 'events']) {
    for (const ago of [3, 4, 12]) {
      const { rows: [{ name, from, to }] } = await superuser.query(
        `SELECT $1 || to_char((${month(ago)}) AT TIME ZONE 'UTC', '_YYYY_MM') AS name, uuid_v7_floor(${month(ago)}) AS from, uuid_v7_floor(${month(ago - 1)}) AS to`, [table]);
      await superuser.query(`CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`);
      old.push(name);
    }
  }
  await new Partitions(dataSource).keep();
  const { rows } = await superuser.query('SELECT relname FROM pg_class WHERE relname = ANY($1) ORDER BY relname', [old]);
  expect(rows.map(({ relname }) => relname)).toEqual([...old.slice(3), old[0]!].toSorted((a, b) => (a < b ? -1 : 1)));
  await expect(dataSource.query('DROP TABLE request_log')).rejects.toThrow('must be owner');
});

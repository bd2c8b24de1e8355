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

import { Client } from 'pg';
import { arrayParam, type ColumnType, type ColumnTypes } from '../src/core/database/bulk';
import { createTestDatabase, type TestDatabase } from './support/database';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase('template1');
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

type Cases = { [K in ColumnType]: [given: ColumnTypes[K] | null, stored: string | null][] };

/** As PostgreSQL writes them: values at every bound, and some longer than what arrays are put together in. */
const CASES: Cases = {
  uuid: [
    ['019ac123-4567-789a-bcde-f0123456789a', '019ac123-4567-789a-bcde-f0123456789a'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    [null, null],
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ],
  text: [
    '',
    'NGN',
    'ọ̀rẹ́',
    '🏪',
    'x'.repeat(23) + 'é',
    'a longer text, all of it plain characters',
    'ẹ̀'.repeat(40_000),
  ].map((text) => [text, text]),
  bigint: [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 4_294_967_296n, -4_294_967_297n].map((n) => [n, String(n)]),
  integer: [0, -1, 2_147_483_647, -2_147_483_648].map((n) => [n, String(n)]),
  boolean: [
    [true, 'true'],
    [false, 'false'],
    [null, null],
  ],
  timestamptz: [
    [new Date('2026-11-27T07:12:17.123Z'), '2026-11-27 07:12:17.123+00'],
    [new Date('2000-01-01T00:00:00.000Z'), '2000-01-01 00:00:00+00'],
    [new Date('1999-12-31T23:59:59.999Z'), '1999-12-31 23:59:59.999+00'],
    [new Date('1899-02-28T00:00:00.001Z'), '1899-02-28 00:00:00.001+00'],
    [new Date('9999-12-31T23:59:59.999Z'), '9999-12-31 23:59:59.999+00'],
    [null, null],
  ],
  bytea: [
    [Buffer.alloc(0), '\\x'],
    [Buffer.from('00ff', 'hex'), '\\x00ff'],
    [Buffer.alloc(100_000, 1), `\\x${'01'.repeat(100_000)}`],
  ],
  json: [
    [{ a: 1, b: 'é' }, '{"a":1,"b":"é"}'],
    [null, null],
  ],
  jsonb: [
    [{ b: ['🏪'], a: 'x'.repeat(90_000) }, `{"a": "${'x'.repeat(90_000)}", "b": ["🏪"]}`],
    [{}, '{}'],
  ],
  tid: ['(0,1)', '(7,291)', '(4294967294,65535)'].map((tid) => [tid, tid]),
};

it.each(Object.entries(CASES))('a column of %s holds what was given', async (type, cases) => {
  await client.query(`SET timezone = 'UTC'`);
  for (const some of [cases, cases.toReversed(), []] as [never, string | null][][]) {
    const array = arrayParam(type as ColumnType, some.map(([given]) => given) as never[]);
    const { rows } = await client.query(`SELECT unnest($1::${type}[])::text AS stored`, [array]);
    expect(rows.map(({ stored }) => stored)).toEqual(some.map(([, stored]) => stored));
  }
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CellMove, type SlotMove } from '../src/cli/cell-move';
import { arrangeCells } from '../src/cli/cells';
import { Env } from '../src/core/config/env';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../src/core/database/embedded-postgres';
import { decodeId, encodeId, lowestIdAt, newIdOf, slotNumber, slotOf } from '../src/core/http/ids';
import { freePort } from '../src/core/process/ports';
import { runMigrations } from '../src/migrations/migrations';
import { answerOf, command } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { CELL_SECRET } from './support/other-cell';

const NAMES = ['control', 'a', 'b'] as const;
type Name = (typeof NAMES)[number];

const folder = mkdtempSync(join(tmpdir(), 'duka-move-'));
const urls = {} as Record<Name, string>;
let env: Env;
let a: Duka;
let b: Duka;

/** The slot of an account from a to b; a third cell controls. */
function moveOf({ id }: TestAccount): SlotMove {
  const slot = slotNumber(slotOf(decodeId('acct', id)!));
  return { slots: { from: slot, to: slot }, source: urls.a, target: urls.b, control: urls.control, followed: urls.a };
}

beforeAll(async () => {
  chmodSync(folder, 0o711);
  for (const name of NAMES) {
    const { url } = await startEmbeddedPostgres({ dataDir: join(folder, name), durable: false, isFollowed: true });
    urls[name] = url;
    await runMigrations(Object.assign(new Env(), { DATABASE_URL: url }));
  }
  const ports: Record<string, number> = {};
  for (const name of NAMES) ports[name] = await freePort();
  env = Object.assign(new Env(), { CELL_SECRET, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  await arrangeCells(
    env,
    NAMES.map((name) => ({ name, databaseUrl: urls[name], address: `http://127.0.0.1:${ports[name]}` })),
  );
  [a, b] = (await Promise.all(
    (['a', 'b'] as const).map((name) =>
      Duka.start(
        { CELL_SECRET },
        {
          database: { url: urls[name], drop: () => stopEmbeddedPostgres(join(folder, name), 'immediate') },
          port: ports[name],
        },
      ),
    ),
  )) as [Duka, Duka];
});

afterAll(async () => {
  await a.stop();
  await b.stop();
  await stopEmbeddedPostgres(join(folder, 'control'), 'immediate');
  rmSync(folder, { recursive: true, force: true });
});

/** Tables of both kinds of keys, and one whose pages keep room. */
const MONTHLY = ['events', 'ledger_entries', 'webhook_deliveries'];
const OLD = `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '2 months'`;
const OLD_MONTHS = `
  DO $$
  DECLARE
    month timestamptz := ${OLD};
    parent partitioned_tables;
  BEGIN
    FOR parent IN SELECT * FROM partitioned_tables WHERE name IN ('${MONTHLY.join(`', '`)}') LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)',
        parent.name || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'), parent.name,
        CASE parent.key_type WHEN 'uuid' THEN uuid_v7_floor(month)::text ELSE month::text END,
        CASE parent.key_type WHEN 'uuid' THEN uuid_v7_floor(month + interval '1 month')::text
          ELSE (month + interval '1 month')::text END, parent.fillfactor);
    END LOOP;
  END $$`;

it('brings what is older than the cell that it goes to', async () => {
  await a.asOwner(OLD_MONTHS);
  const shop = await a.account();
  await shop.api.wallet(100);
  const id = decodeId('acct', shop.id)!;
  const [{ at }] = (await a.asOwner(`SELECT ${OLD} + interval '1 day' AS at`)) as [{ at: Date }];
  const old = lowestIdAt(at).slice(0, 13) + newIdOf(id).slice(13);
  await a.asOwner(
    `INSERT INTO events SELECT r.* FROM (SELECT e FROM events e WHERE account_id = $1 LIMIT 1) one,
       jsonb_populate_record(NULL::events, to_jsonb(one.e)
         || jsonb_build_object('id', $2::uuid, 'type', 'catalogue.updated')) r`,
    [id, old],
  );

  expect(await CellMove.run(env, moveOf(shop))).toMatchObject({ from: 'a', to: 'b', accounts: 1 });

  const { status } = await b.api(shop.key).get(`/v4/events/${encodeId('evt', old)}`);
  expect(status).toBe(200);
  const months = (duka: Duka) =>
    duka.asOwner(
      `SELECT c.relname, coalesce(c.reloptions::text, '{fillfactor=100}') AS filled,
              pg_get_expr(c.relpartbound, c.oid) AS bounds,
              (SELECT array_agg(indkey::text ORDER BY indkey::text) FROM pg_index WHERE indrelid = c.oid) AS indexes
         FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid AND inhparent::regclass::text = ANY ($1) ORDER BY 1`,
      [MONTHLY],
    );
  expect(await months(b)).toEqual(await months(a));
  await a.expectBooks();
  await b.expectBooks();
});

const statusAt = async (duka: Duka, { key }: TestAccount): Promise<number> =>
  (await duka.api(key).get('/v4/wallets')).status;

it('shows all that it has until both cells know where it is, however often it is called', async () => {
  const shop = await a.account();
  const follow = (how: 'DISABLE' | 'ENABLE') => a.asOwner(`ALTER SUBSCRIPTION duka_a ${how}`);
  await follow('DISABLE');
  for (let calls = 0; calls < 2; calls++) {
    await expect(CellMove.run(env, moveOf(shop))).rejects.toThrow('The cell a does not follow the control cell.');
    expect(await a.asOwner('SELECT phase FROM slot_moves WHERE ended_at IS NULL')).toEqual([{ phase: 'handing' }]);
    expect(await statusAt(a, shop)).toBe(200);
  }
  await follow('ENABLE');
  expect(await CellMove.run(env, moveOf(shop))).toMatchObject({ from: 'a', to: 'b', accounts: 1 });
  for (const duka of [a, b]) expect(await statusAt(duka, shop)).toBe(200);
  await a.expectBooks();
  await b.expectBooks();
});

it('takes addresses of several servers, from files', async () => {
  const shop = await a.account();
  const { from } = moveOf(shop).slots;
  const file = (name: Name): string => {
    const { username, password, host, pathname } = new URL(urls[name]);
    const path = join(folder, `${name}.txt`);
    const hosts = `127.0.0.1:1,127.0.0.1:2,${host}`;
    writeFileSync(
      path,
      `# ${name}\npostgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write\n`,
    );
    return path;
  };
  const run = async (name: Name, ...words: string[]) =>
    answerOf(await command([...words, '--json'], { DATABASE_URL: urls[name], CELL_SECRET }));
  expect(await run('b', 'cell:refresh', '--control', file('control'))).toMatchObject({
    status: 0,
    json: { name: 'b' },
  });
  const followed = await b.asOwner(`SELECT subconninfo AS address FROM pg_subscription WHERE subname = 'duka_b'`);
  expect(followed).toEqual([{ address: expect.stringMatching(/^postgres:\/\/\S{100,}=read-write$/) }]);
  const words = ['--to', file('b'), '--control', file('control'), '--followed', file('a')];
  expect(await run('a', 'cell:move', '--slots', `${from}-${from}`, ...words)).toMatchObject({
    status: 0,
    json: { from: 'a', to: 'b', accounts: 1 },
  });
  expect(await statusAt(a, shop)).toBe(200);

  // Neither an address nor a file, and a file with two.
  writeFileSync(join(folder, 'two.txt'), `${urls.a}\n${urls.b}\n`);
  for (const value of [join(folder, 'none.txt'), join(folder, 'two.txt')]) {
    const refused = await run('b', 'cell:refresh', '--control', value);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('It takes postgres://')]);
  }
});

import { DataSource } from 'typeorm';
import { Env } from '../src/core/config/env';
import { Partitions } from '../src/core/database/partitions';
import { decodeId } from '../src/core/http/ids';
import { runMigrations } from '../src/migrations/migrations';
import { SealService } from '../src/modules/ledger/seal.service';
import { Relay } from '../src/modules/webhooks/relay.service';
import type { Duka, TestAccount } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { WebhookBench } from './support/webhook-bench';

const SCHEMA = 'duka_7';

/** In `public`. Its workers are the tests' to move. */
let bench: WebhookBench;
/** Beside it, in a schema of its own. */
let beside: Duka;
let account: TestAccount;

beforeAll(async () => {
  bench = await WebhookBench.start({ WORKER_IN_API: false, REDIS_URL: undefined });
  const env = Object.assign(new Env(), bench.duka.env, { DATABASE_SCHEMA: SCHEMA });
  expect((await runMigrations(env)).length).toBeGreaterThan(70);
  expect(await runMigrations(env)).toEqual([]);
  beside = await bench.duka.twin({ DATABASE_SCHEMA: SCHEMA, WORKER_IN_API: true });
  account = await beside.account('Cell');
});
afterAll(async () => {
  await beside?.stop();
  await bench.stop();
});
beforeEach(() => bench.begin());
afterEach(() => bench.end());

const idsOf = ({ received }: Receiver): string[] => received.map(({ body }) => body.id);
const eventsOf = async ({ api }: TestAccount, query = ''): Promise<any> =>
  (await api.get(`/v4/events?order=asc&limit=100${query}`)).body;
const walletOf = async ({ api }: TestAccount): Promise<string> => (await api.get('/v4/wallets')).body.data[0].id;

it('moves money, tells of it and seals it, beside another service in the same database', async () => {
  const receiver = await Receiver.of(beside, account, { events: ['transfer.successful'] });
  const [from, to] = [await account.api.wallet(10_000), await account.api.wallet()];
  for (const amount of [100, 200, 300]) expect((await account.api.transfer(from, to, amount)).status).toBe(201);
  expect(await account.api.balance(to)).toMatchObject({ available: 600 });
  let told: string[] = [];
  await until(async () => {
    const { data } = await eventsOf(account, '&type=transfer.successful');
    told = data.map(({ id }: any) => id);
    return told.length === 3;
  });
  await until(() => told.every((id: string) => idsOf(receiver).includes(id)));
  await beside.get<SealService>(SealService).seal();
  expect(await beside.asOwner('SELECT 1 FROM ledger_batches WHERE position IS NULL')).toEqual([]);
  await beside.expectBooks();
  await bench.duka.expectBooks();
  // Neither knows the other's.
  expect((await bench.duka.api(account.key).get('/v4/wallets')).status).toBe(401);
  expect((await beside.api(bench.account.key).get('/v4/wallets')).status).toBe(401);
  await receiver.close();
});

it('has the tables, rights, partitions and locks of its schema', async () => {
  const [found] = await beside.asOwner(`
    SELECT (SELECT count(*)::integer FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace) AS tables,
           (SELECT count(*)::integer FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS others,
           has_table_privilege('duka_app', '${SCHEMA}.ledger_entries', 'UPDATE, DELETE') AS rights`);
  expect(found).toEqual({ tables: found!.others, others: found!.others, rights: false });
  await beside.get<DataSource>(DataSource).query('SELECT ensure_monthly_partitions(5)');
  expect(await beside.get<DataSource>(DataSource).query('SELECT monthly_partitions_exist(5) AS exist')).toEqual([
    { exist: true },
  ]);
  expect(await bench.duka.asOwner('SELECT monthly_partitions_exist(5) AS exist')).toEqual([{ exist: false }]);
  await beside.get<Partitions>(Partitions).keep();
  // What one holds does not stop the other.
  const receiver = await Receiver.of(beside, account, { events: ['wallet.credited'] });
  await bench.duka.get<DataSource>(DataSource).transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('webhooks.relay'))`);
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('duka seal', 0))`);
    await account.api.credit(await walletOf(account), 100);
    await until(() => receiver.received.length === 1);
    await beside.get<SealService>(SealService).seal();
  });
  await receiver.close();
});

const CREDITS = '&type=wallet.credited';
const TABLES_OF_ACCOUNTS = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
     -- What has a column that PostgreSQL makes is nothing to copy whole, and none of these accounts'.
     AND NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attgenerated <> '')`;

/** Does something to the rows of an account, table by table. */
async function forRows(id: string, statement: (table: string, where: string) => string): Promise<void> {
  const tables = (await bench.duka.asOwner(TABLES_OF_ACCOUNTS)) as { name: string }[];
  await bench.duka.asOwner(statement('accounts', 'id = $1'), [id]);
  for (const { name } of tables) await bench.duka.asOwner(statement(name, 'account_id = $1'), [id]);
}

it('delivers what came with an account from another schema, and its followers go on', async () => {
  const { duka, receiver } = bench;
  const relay = duka.get<Relay>(Relay);
  const reached = async (service: Duka) => (await service.asOwner('SELECT event_number() AS number'))[0]!.number;
  // The numbers there are far above those here.
  await duka.asOwner('SELECT renew_event_epoch($1)', [await reached(beside)]);
  for (let i = 0; i < 3; i++) await bench.credit();
  await until(async () => (await relay.relayNow(), (await bench.receiver.deliveries()).length === 3));
  const before = await eventsOf(bench.account, CREDITS);
  for (let i = 0; i < 3; i++) await bench.credit();
  await until(async () => (await eventsOf(bench.account, `${CREDITS}&after=${before.next_cursor}`)).data.length === 3);
  const owed = (await eventsOf(bench.account, `${CREDITS}&after=${before.next_cursor}`)).data.map(({ id }: any) => id);

  const id = decodeId('acct', bench.account.id)!;
  await forRows(id, (table, where) => `INSERT INTO ${SCHEMA}.${table} SELECT * FROM public.${table} WHERE ${where}`);
  await beside.asOwner('SELECT renew_event_epoch($1)', [await reached(duka)]);
  const moved = { ...bench.account, api: beside.api(bench.account.key) };

  await until(() => owed.every((event: string) => idsOf(receiver).includes(event)));
  expect(owed.map((event: string) => idsOf(receiver).filter((one) => one === event).length)).toEqual([1, 1, 1]);
  const after = (await eventsOf(moved, `${CREDITS}&after=${before.next_cursor}`)).data.map((event: any) => event.id);
  expect(after).toEqual(owed);
  // What happens here comes behind all that came along.
  expect(await beside.asOwner('SELECT event_number() > max(xact) AS behind FROM events')).toEqual([{ behind: true }]);
  await forRows(id, (table, where) => `DELETE FROM ${SCHEMA}.${table} WHERE ${where}`);
});

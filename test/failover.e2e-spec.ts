import { runMigrations } from '../src/migrations/migrations';
import { Env } from '../src/core/config/env';
import { clientConfig } from '../src/core/database/options';
import { Pipeline } from '../src/core/database/pipeline';
import { PrimaryClient } from '../src/core/database/primary-client';
import { expectBooksToBalance } from './support/books';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { ServerPair } from './support/server-pair';

const ORDERS = [
  ['primary', 'standby'],
  ['standby', 'primary'],
] as const;

let pair: ServerPair;
beforeAll(async () => {
  pair = await ServerPair.start();
  await runMigrations(Object.assign(new Env(), { DATABASE_URL: pair.url('standby', 'primary') }));
  // The standby follows: it knows the login a moment later.
  const follows = async () => (await connect(pair.url('standby'))).end();
  await until(() =>
    follows().then(
      () => true,
      () => false,
    ),
  );
});
afterAll(() => pair.stop());

const connect = (url: string) =>
  new PrimaryClient(clientConfig(Object.assign(new Env(), { DATABASE_URL: url })))
    .on('error', () => undefined)
    .connect();

it.each(ORDERS)('of several hosts (%s, %s) the one that takes changes is found', async (...order) => {
  const client = await connect(pair.url(...order));
  expect((await client.query('SELECT pg_is_in_recovery() AS standby')).rows).toEqual([{ standby: false }]);
  await client.end();
});

it('where none takes changes, this is what is said', async () => {
  await expect(connect(pair.url('standby', 'standby'))).rejects.toThrow(/takes no changes/);
});

it('a login that is refused is told of, though another host is away', async () => {
  const url = pair
    .url('standby', 'primary')
    .replace(/:[^/@]+@/, ':wrong@')
    .replace(/\d+\//, '1/');
  await expect(connect(url)).rejects.toMatchObject({ code: '28P01' });
});

it('a connection whose server takes no changes breaks with the first statement that makes one', async () => {
  const client = await connect(pair.url('standby'));
  const ended = new Promise((resolve) => client.once('end', resolve));
  await expect(client.query('UPDATE accounts SET name = name')).rejects.toMatchObject({ code: '25006' });
  await ended;
});

it('a connection whose server is silent is given up, and the next statement has another one', async () => {
  const config = {
    ...clientConfig(Object.assign(new Env(), { DATABASE_URL: pair.url('primary') })),
    query_timeout: 300,
  };
  const pid = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
  const [pipeline, client] = [new Pipeline(config), new PrimaryClient(config).on('error', () => undefined)];
  await client.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  const pids = [await pipeline.query(pid, []), await client.query(pid.text)].map(({ rows }) => rows[0]!.pid as number);
  for (const each of pids) process.kill(each, 'SIGSTOP');
  await expect(pipeline.query(pid, [])).rejects.toThrow('Query read timeout');
  await expect(client.query(pid.text)).rejects.toThrow('Query read timeout');
  await ended;
  expect(pids).not.toContain((await pipeline.query(pid, [])).rows[0]!.pid);
  await pipeline.end();
  for (const each of pids) process.kill(each, 'SIGCONT');
});

it('goes on where the standby took over: no request fails, nothing is lost', async () => {
  const duka = await Duka.start({ DATABASE_URL: pair.url('standby', 'primary'), WORKER_IN_API: true });
  const { api } = await duka.account();
  const [from, to] = [await api.wallet(1_000), await api.wallet()];
  const ready = async () => (await duka.api(null).get('/readyz')).status;
  const statuses = [await ready()];

  const payments: ReturnType<typeof api.transfer>[] = [];
  const customers = setInterval(() => payments.push(api.transfer(from, to, 1)), 20);
  const more = async () => {
    const sent = payments.length;
    await until(async () => payments.length > sent + 9);
  };
  await more();
  await payments[0];
  await pair.losePrimary();
  // What is left is a standby.
  await until(async () => (await ready()) === 503);
  await more();
  await pair.promoteStandby();
  await until(async () => (await ready()) === 200);
  await more();
  clearInterval(customers);
  const answers = await Promise.all(payments);

  expect(statuses).toEqual([200]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await api.balance(to)).available).toBe(payments.length);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(payments.length);
  await duka.app.close();
  // Nothing is to be done, whichever host stands first.
  const env = Object.assign(new Env(), { DATABASE_URL: pair.url('primary', 'standby') });
  expect(await runMigrations(env)).toEqual([]);
  await expectBooksToBalance(pair.url('primary', 'standby'));
});

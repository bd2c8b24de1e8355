import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { runProcess } from '../../../src/core/process/lifetime';
import { reckonBooks } from '../cards/book-reckoning';
import { Findings } from '../cards/findings';
import { Fleet } from '../cards/fleet';
import { Strikes } from '../cards/strikes';
import { Wire } from '../cards/wire';
import { Pace } from '../purchases/pace';
import { type Desk, openDesks } from './desks';
import { Mischief } from './mischief';
import { fund, openLive } from './opening';
import { moneyFor, Orders } from './orders';
import { reckonOrders } from './reckoning';
import { lookAgain, settle } from './settling';
import { SIZE } from './sizes';
import { reckonStatements } from './statements';

/** How long orders take to come in, for each kill. */
const KILL_MS = 5_000;
const ERRORS_SHOWN = 10;

// `npm run test:chaos:live`: whatever companies answer and whoever dies, each live order is paid and delivered once, and our money at each company is what the books say.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const desks = openDesks();
  for (const { company } of desks) await lifetime.own(company.listen(), () => company.stop());
  const settings = Object.assign({}, ...desks.map(({ company }) => company.settings)) as Record<string, string>;
  const fleet = await Fleet.start(lifetime, { ...settings, LOG_LEVEL: 'info' });
  const { service, urls } = fleet;
  const pool = new Pool({ connectionString: service.databaseUrl, max: 1 });
  const db = await lifetime.own(Promise.resolve(pool), () => pool.end());
  const openings = new Map(desks.map(({ name, balance }) => [name, balance]));
  const { id: account, key } = await openLive(service, db, desks);
  const wire = new Wire(urls);
  const authorization = `Bearer ${key}`;
  const headers = { authorization, 'idempotency-key': randomUUID() };
  const opened = await wire.ask({ method: 'POST', path: '/v4/wallets', headers, body: { currency: 'NGN' } });
  const [wallet, funds] = [opened.id as string, moneyFor(SIZE.orders)];
  await fund(service, wallet, funds);

  const pace = new Pace(SIZE.orders, SIZE.kills * KILL_MS);
  const orders = new Orders(wire, key, wallet, SIZE.orders, pace);
  const mischief = new Mischief(desks, urls);
  const kills = { operations: SIZE.orders, apiKills: SIZE.kills, postgresKills: 0 };
  const strikes = new Strikes({ fleet, wire, clients: orders }, kills);
  mischief.start();
  const killing = strikes.run().finally(() => (pace.areKillsOver = true));
  await Promise.all([orders.run(), killing]);
  await mischief.end();
  const waiting = await settle(db, orders);
  await mischief.remind();
  waiting.push(...(await lookAgain(db)), ...(await settle(db, orders)));
  const collapses = await fleet.stop();

  const findings = new Findings();
  const sides = { db, desks, orders, count: SIZE.orders, account, wallet, funds };
  const ends = await reckonOrders(sides, findings);
  await reckonBooks(db, service.databaseUrl, findings);
  const differences = await reckonStatements({ service, desks, openings }, SIZE.planted, findings);
  const { logs } = service;
  for (const secret of secretsOf(desks, service.env.SECRETS_KEY!, key))
    if (logs.includes(secret)) findings.add('secrets', `${secret.slice(0, 4)}…`);

  print({
    orders: orders.begun,
    ...Object.fromEntries(Array.from(ends, ([end, times]) => [`  ${end}`, times])),
    'what companies did with them': '',
    ...Object.fromEntries(Array.from(mischief.done, ([what, times]) => [`  ${what}`, times])),
    'requests that were answered 5xx, carried out or not': mischief.broken,
    ...Object.fromEntries(desks.map((desk) => [`delivered by ${desk.name}`, deliveriesOf(desk)])),
    'callbacks sent again': mischief.repeated,
    'callbacks of others': mischief.forged,
    'processes killed': strikes.done.length,
    'requests sent again': wire.resent,
    'requests that had taken effect before': wire.replayed,
    ...Object.fromEntries(
      desks.map(({ name, balance }) => [`naira at ${name}, as in the books`, Number(balance) / 100]),
    ),
    'differences planted in statements, and found': differences,
    'characters of logs without a secret': logs.length,
  });
  const faults = [...wire.faults, ...mischief.wrong].map(([what, times]) => `${times} × ${what}`);
  const wrong = [
    ...collapses,
    ...faults,
    ...findings.wrong,
    ...waiting.map((what) => `${what} did not end`),
    ...desks.filter((desk) => deliveriesOf(desk) === 0).map(({ name }) => `${name} sold nothing: this proves nothing`),
    ...(logs.length === 0 ? ['nothing was logged: this proves nothing of secrets'] : []),
  ];
  if (faults.length > 0) wrong.push(...logs.split('\n').filter(isError).slice(0, ERRORS_SHOWN));
  console.log(
    wrong.length > 0
      ? `\nFAILED\n${wrong.map((line) => `  - ${line}`).join('\n')}`
      : '\nEvery order was paid and delivered once, or not at all.',
  );
  await lifetime.end(wrong.length > 0 ? 1 : 0);
});

const isError = (line: string): boolean => line.startsWith('{"level":"error"');

const deliveriesOf = ({ sales }: Desk): number => sales.reduce((sum, { deliveries }) => sum + deliveries, 0);

/** What nobody may read. */
function secretsOf(desks: readonly Desk[], secretsKey: string, key: string): string[] {
  const settings = desks.flatMap(({ company }) => Object.entries(company.settings));
  return [secretsKey, key, ...settings.flatMap(([name, value]) => (/KEY|SECRET/.test(name) ? [value] : []))];
}

function print(lines: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(58)}${String(value).padStart(10)}`);
}

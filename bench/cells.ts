import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { arrangeCells } from '../src/cli/cells';
import { Env } from '../src/core/config/env';
import { freePort } from '../src/core/process/ports';
import { runProcess } from '../src/core/process/lifetime';
import { type Bank, openBank, post } from './bank';
import { median } from './figures';
import type { Outcome } from './load';
import { describeMachine } from './machine';
import { validated } from './measured';
import { type Listening, Service } from './service';
import { costOfOne, cpuOfLoad, totalOf } from './usage';

// `npm run bench:cells`: what a transfer costs within a cell, by a detour and between cells, beside one service alone;
// and how long those of two cells take while the third one does not answer.

const WALLETS = 400;
const CONNECTIONS = 16;
const TIMING = { warmUpSeconds: 5, seconds: 10 };
const OUTAGE_SECONDS = 30;
const INTO_IT = 4;
const REST_MS = 120_000;

interface Stand {
  readonly service: Service;
  readonly api: Listening;
  readonly bank: Bank;
}

interface Run {
  readonly perSecond: number;
  /** Of a transfer, in microseconds: of all processes that it meets, and of their servers. */
  readonly cpuUs: number;
  readonly p50Ms: number;
}

interface Way {
  readonly name: string;
  readonly from: Stand;
  /** The process that is asked; else that of the payer. */
  readonly by?: Stand;
  readonly to?: Stand;
}

async function stand(service: Service, settings: NodeJS.ProcessEnv): Promise<Stand> {
  const api = await service.startApi({ ...settings, WORKER_IN_API: 'true' });
  return { service, api, bank: await openBank(service, api.port, WALLETS) };
}

function load({ from, by = from, to }: Way, timing: typeof TIMING, connections = CONNECTIONS): Promise<Outcome> {
  const { partner, wallets } = from.bank;
  return from.service.processes.load({
    ...timing,
    requests: { kind: 'transfer', port: by.api.port, key: partner.key, wallets, payees: to?.bank.wallets },
    connections,
    expected: { status: 201, text: '"status":"successful"' },
  });
}

async function measure(way: Way): Promise<Run> {
  const met = [...new Set([way.from, way.by, way.to])].filter((one) => one !== undefined);
  const [outcome, cost] = await Promise.all([
    load(way, TIMING),
    cpuOfLoad(
      TIMING,
      met.map(({ api }) => api.pid),
      met.map(({ service }) => service.database.pid),
    ),
  ]);
  const { perSecond, p50Ms } = validated(outcome);
  return { perSecond, p50Ms, cpuUs: totalOf(costOfOne(cost, perSecond * TIMING.seconds)) };
}

/** p99 of transfers within two cells, both at once, for some seconds. */
async function p99Of(stands: readonly Stand[], seconds: number): Promise<number> {
  const timing = { ...TIMING, seconds };
  const outcomes = await Promise.all(stands.map((from) => load({ name: '', from }, timing, CONNECTIONS / 2)));
  return Math.max(...outcomes.map((outcome) => validated(outcome).p99Ms));
}

function pay(from: Stand, to: Stand): Promise<object> {
  const [from_wallet, to_wallet] = [from.bank.wallets[0]!, to.bank.wallets[0]!];
  const body = { from_wallet, to_wallet, amount: 1, currency: 'NGN' };
  return post(from.api.port, from.bank.partner.key, '/v4/wallets/transfer', body);
}

/** Transfers into a cell that does not answer, sent until it is over; those that were accepted. */
async function payInto(from: Stand, to: Stand, until: Promise<unknown>): Promise<number> {
  let [isOver, accepted] = [false, 0];
  void until.then(() => (isOver = true));
  const client = async (): Promise<void> => {
    while (!isOver)
      await pay(from, to).then(
        () => accepted++,
        () => sleep(100),
      );
  };
  await Promise.all(Array.from({ length: INTO_IT }, client));
  return accepted;
}

/** How long it takes until no transfer is under way. */
async function rest({ service }: Stand): Promise<number> {
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  try {
    for (const began = Date.now(); Date.now() - began < REST_MS; await sleep(200)) {
      const { rows } = await client.query(`SELECT 1 FROM transfers WHERE status = 'processing' LIMIT 1`);
      if (rows.length === 0) return Date.now() - began;
    }
    throw new Error(`transfers were still under way after ${REST_MS / 1_000} s`);
  } finally {
    await client.end();
  }
}

runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  lifetime.endWithParent();
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
  const alone = await stand(await Service.start(lifetime), {});
  const CELL_SECRET = randomBytes(32).toString('base64url');
  const services: Service[] = [];
  for (let i = 0; i < 3; i++) services.push(await Service.start(lifetime, { isFollowed: true }));
  const ports: number[] = [];
  for (const _ of services) ports.push(await freePort());
  await arrangeCells(
    new Env(),
    services.map(({ database }, i) => ({
      name: 'abc'[i]!,
      databaseUrl: database.url,
      address: `http://127.0.0.1:${ports[i]}`,
    })),
  );
  const settings = (i: number) => ({ CELL_SECRET, PORT: String(ports[i]) });
  for (const service of services) service.settings = { CELL_SECRET };
  const [a, b, c] = (await Promise.all(services.map((service, i) => stand(service, settings(i))))) as [
    Stand,
    Stand,
    Stand,
  ];
  // The first cell is the control cell, which tells the others what is of people.
  const ways: Way[] = [
    { name: 'one service alone', from: alone },
    { name: 'within a cell of three', from: b },
    { name: 'within the control cell', from: a },
    { name: 'within a cell, asked at another', from: c, by: b },
    { name: 'between two cells', from: c, to: b },
  ];
  const runs = ways.map((): Run[] => []);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [i, way] of ways.entries()) {
      const run = await measure(way);
      runs[i]!.push(run);
      console.log(`${way.name}: ${Math.round(run.perSecond)}/s, ${Math.round(run.cpuUs)} µs`);
    }
  const of = (i: number, what: keyof Run): number => median(runs[i]!.map((run) => run[what]));
  // Within each round: a machine that is slower for a minute is slower for all.
  const ratio = (i: number, to: number): number =>
    median(runs[i]!.map(({ cpuUs }, round) => cpuUs / runs[to]![round]!.cpuUs));
  const rows = ways.map(({ name }, i) =>
    [
      name,
      Math.round(of(i, 'perSecond')).toLocaleString('en'),
      `${of(i, 'p50Ms').toFixed(1)} ms`,
      `${Math.round(of(i, 'cpuUs'))} µs`,
      ratio(i, 0).toFixed(2),
      ratio(i, 1).toFixed(2),
    ].join(' | '),
  );
  console.log(`\n${await describeMachine(alone.service.database.url)}\n`);
  console.log('| Transfers | /s | p50 | CPU each | ÷ alone | ÷ within |\n|---|---|---|---|---|---|');
  for (const row of rows) console.log(`| ${row} |`);

  const before = await p99Of([a, b], 15);
  // Only wallets that were paid before are known to be there.
  await pay(a, c);
  // Worse than one that is gone: connections to it are taken, and nothing comes.
  process.kill(c.api.pid, 'SIGSTOP');
  const outage = p99Of([a, b], OUTAGE_SECONDS);
  const accepted = await payInto(a, c, outage);
  const during = await outage;
  process.kill(c.api.pid, 'SIGCONT');
  const restedMs = await rest(a);
  for (const { service } of [alone, a, b, c]) await service.verifyBooks();
  console.log(
    `\np99 of two cells: ${before.toFixed(1)} ms; while the third does not answer for ${OUTAGE_SECONDS} s: ` +
      `${during.toFixed(1)} ms (${(during / before).toFixed(2)} ×). Of the transfers into it ${accepted} were accepted, ` +
      `and had ended ${(restedMs / 1_000).toFixed(1)} s after it was back. All books are in order.`,
  );
  await lifetime.end(0);
});

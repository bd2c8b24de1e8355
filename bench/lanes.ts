import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { decodeId, laneOf } from '../src/core/http/ids';
import { runProcess } from '../src/core/process/lifetime';
import { openWallets } from './bank';
import { median } from './figures';
import { describeMachine } from './machine';
import { type Timing, validated } from './measured';
import type { Shop } from './requests';
import { type Listening, Service } from './service';
import { type Cost, costOfOne, costText, cpuOfLoad, medianCost, totalOf } from './usage';

// `npm run bench:lanes`: what several API processes on one PostgreSQL cost each other, with and without lanes.

const WALLETS = 1_000;
const LANES = 16;
const PROCESSES = 3;
/** Accounts of the lanes of each process. */
const SHOPS_EACH = 5;
const SHOPS = PROCESSES * SHOPS_EACH;
/** Of all processes together: so many that a batch of each of them is as large as it gets. */
const CONNECTIONS = 192 * PROCESSES;
/** For each process: it has a part of the requests only, and is slow until it had many. */
const WARM_UP_SECONDS = 12;
const SECONDS = 10;
const SAMPLE_MS = 10;

interface Arrangement {
  readonly name: string;
  readonly processes: number;
  readonly lanes: number;
  /** Whether an account is served by one process, that of its lane, or by any. */
  readonly isByLane: boolean;
  /** Each has a PostgreSQL of its own: they have nothing in common but the machine. */
  readonly isApart?: boolean;
}

const ARRANGEMENTS: readonly Arrangement[] = [
  { name: '1 process, 1 lane', processes: 1, lanes: 1, isByLane: false },
  { name: `1 process, ${LANES} lanes`, processes: 1, lanes: LANES, isByLane: false },
  { name: `${PROCESSES} processes, 1 lane, anybody anywhere`, processes: PROCESSES, lanes: 1, isByLane: false },
  {
    name: `${PROCESSES} processes, ${LANES} lanes, anybody anywhere`,
    processes: PROCESSES,
    lanes: LANES,
    isByLane: false,
  },
  { name: `${PROCESSES} processes, ${LANES} lanes, by lane`, processes: PROCESSES, lanes: LANES, isByLane: true },
  {
    name: `${PROCESSES} processes, each on a PostgreSQL of its own`,
    processes: PROCESSES,
    lanes: 1,
    isByLane: true,
    isApart: true,
  },
];

/** A process, and the accounts that are served by it. */
interface Stand {
  readonly service: Service;
  readonly api: Listening;
  readonly shops: readonly Shop[];
}

interface Run {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of an answer. */
  readonly cost: Cost;
  /** Share of samples in which a ledger connection waited for a row. */
  readonly waiting: number;
}

/** All connections that post, of whatever process. */
const SELECT_LEDGER = `
  SELECT pid, coalesce(wait_event_type = 'Lock', false) AS "isWaiting" FROM pg_stat_activity
   WHERE application_name = 'duka' AND (pid = ANY($1) OR query LIKE '%FROM ledger_accounts%FOR NO KEY UPDATE')`;

/** Looks at the ledger's connections until it is ended. */
class Watch {
  private readonly pids = new Set<number>();
  private readonly counts = { all: 0, waiting: 0 };
  private isOver = false;
  private readonly done: Promise<void>;

  constructor(private readonly client: Client) {
    this.done = this.look();
  }

  /** Forgets what was seen: the warm-up. */
  begin(): void {
    Object.assign(this.counts, { all: 0, waiting: 0 });
  }

  async end(): Promise<number> {
    this.isOver = true;
    await this.done;
    return this.counts.waiting / this.counts.all;
  }

  private async look(): Promise<void> {
    while (!this.isOver) {
      const { rows } = await this.client.query<{ pid: number; isWaiting: boolean }>(SELECT_LEDGER, [[...this.pids]]);
      for (const { pid, isWaiting } of rows) {
        this.pids.add(pid);
        this.counts.all++;
        if (isWaiting) this.counts.waiting++;
      }
      await sleep(SAMPLE_MS);
    }
  }
}

/** As many accounts for each of so many processes, with their wallets. */
async function openShops(service: Service, port: number, processes: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (let tries = 0; shops.length < SHOPS_EACH * processes; tries++) {
    const { accountId, key } = await service.openPartner(`Shop ${tries}`);
    const lane = laneOf(decodeId('acct', accountId)!, LANES);
    if (shops.filter((shop) => shop.lane % processes === lane % processes).length === SHOPS_EACH) continue;
    shops.push({ lane, key, wallets: await openWallets(port, key, Math.ceil(WALLETS / SHOPS)) });
  }
  return shops;
}

async function measure(client: Client, stands: readonly Stand[]): Promise<Run> {
  const timing: Timing = { warmUpSeconds: WARM_UP_SECONDS * stands.length, seconds: SECONDS };
  const watch = new Watch(client);
  setTimeout(() => watch.begin(), timing.warmUpSeconds * 1_000);
  const servers = new Set(stands.map(({ service }) => service.database.pid));
  const using = cpuOfLoad(
    timing,
    stands.map(({ api }) => api.pid),
    [...servers],
  );
  const outcomes = await Promise.all(
    stands.map(({ service, api, shops }) =>
      service.processes.load({
        ...timing,
        requests: { kind: 'trade', port: api.port, shops },
        connections: CONNECTIONS / stands.length,
        expected: { status: 201, text: '"status":"successful"' },
      }),
    ),
  );
  const waiting = await watch.end();
  const perSecond = outcomes.reduce((sum, outcome) => sum + validated(outcome).perSecond, 0);
  return {
    perSecond,
    p99Ms: Math.max(...outcomes.map(({ p99Ms }) => p99Ms)),
    cost: costOfOne(await using, perSecond * timing.seconds),
    waiting,
  };
}

const shopsOf = (shops: readonly Shop[], { isByLane, processes }: Arrangement, process: number): readonly Shop[] =>
  isByLane ? shops.filter(({ lane }) => lane % processes === process) : shops;

runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  lifetime.endWithParent();
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
  const service = await Service.start(lifetime);
  const others = [await Service.start(lifetime), await Service.start(lifetime)];
  const client = new Client({ connectionString: service.database.url });
  await lifetime.own(client.connect(), () => client.end());
  const first = await service.startApi();
  const shops = await openShops(service, first.port, PROCESSES);
  await service.processes.stopById(first.pid);
  const apart = [{ service, shops: shops.slice(0, SHOPS_EACH) }];
  for (const other of others) {
    const api = await other.startApi();
    apart.push({ service: other, shops: await openShops(other, api.port, 1) });
    await other.processes.stopById(api.pid);
  }
  const runs = ARRANGEMENTS.map((): Run[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, arrangement] of ARRANGEMENTS.entries()) {
      const stands = await Promise.all(
        Array.from({ length: arrangement.processes }, async (_, process): Promise<Stand> => {
          const own = arrangement.isApart ? apart[process]! : { service, shops: shopsOf(shops, arrangement, process) };
          return { ...own, api: await own.service.startApi({ LANES: String(arrangement.lanes) }) };
        }),
      );
      const run = await measure(client, stands);
      for (const stand of stands) await stand.service.processes.stopById(stand.api.pid);
      runs[i]!.push(run);
      const [rate, waiting] = [Math.round(run.perSecond), (run.waiting * 100).toFixed(1)];
      console.log(`${arrangement.name}: ${rate}/s, ${costText(run.cost)} µs, ${waiting} % waiting`);
    }
  }
  for (const each of [service, ...others]) await each.verifyBooks();
  const of = (i: number, what: 'perSecond' | 'waiting' | 'p99Ms'): number => median(runs[i]!.map((run) => run[what]));
  const costs = runs.map((all) => medianCost(all.map(({ cost }) => cost)));
  const rows = ARRANGEMENTS.map(({ name }, i) =>
    [
      name,
      Math.round(of(i, 'perSecond')).toLocaleString('en'),
      (of(i, 'perSecond') / of(0, 'perSecond')).toFixed(2),
      `${(of(i, 'waiting') * 100).toFixed(1)} %`,
      `${costText(costs[i]!)} µs`,
      (totalOf(costs[i]!) / totalOf(costs[0]!)).toFixed(2),
      `${of(i, 'p99Ms').toFixed(0)} ms`,
    ].join(' | '),
  );
  console.log(`
${await describeMachine(service.database.url)}

| Credits and purchases, half each, from ${WALLETS} wallets | A second | ÷ first | Samples that wait for a row | CPU for one: Duka + PostgreSQL | ÷ first | p99 |
|---|--:|--:|--:|--:|--:|--:|
${rows.map((row) => `| ${row} |`).join('\n')}`);
  await lifetime.end(0);
});

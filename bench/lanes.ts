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
import { cpuSecondsOf, cpuSecondsOfFamily, cpuSecondsOfLoad } from './usage';

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
];

interface Run {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of an answer, in microseconds. */
  readonly cpuUs: number;
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

/** As many accounts for each process, with their wallets. */
async function openShops(service: Service, port: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (let tries = 0; shops.length < SHOPS; tries++) {
    const { accountId, key } = await service.openPartner(`Shop ${tries}`);
    const lane = laneOf(decodeId('acct', accountId)!, LANES);
    if (shops.filter((shop) => shop.lane % PROCESSES === lane % PROCESSES).length === SHOPS_EACH) continue;
    shops.push({ lane, key, wallets: await openWallets(port, key, Math.ceil(WALLETS / SHOPS)) });
  }
  return shops;
}

async function measure(
  service: Service,
  client: Client,
  { processes, isByLane }: Arrangement,
  { apis, shops }: { apis: readonly Listening[]; shops: readonly Shop[] },
): Promise<Run> {
  const cpu = (): number =>
    apis.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), cpuSecondsOfFamily(service.database.pid));
  const timing: Timing = { warmUpSeconds: WARM_UP_SECONDS * processes, seconds: SECONDS };
  const watch = new Watch(client);
  setTimeout(() => watch.begin(), timing.warmUpSeconds * 1_000);
  const using = cpuSecondsOfLoad(timing, cpu);
  const outcomes = await Promise.all(
    apis.map(({ port }, i) =>
      service.processes.load({
        ...timing,
        requests: { kind: 'trade', port, shops: isByLane ? shops.filter(({ lane }) => lane % processes === i) : shops },
        connections: CONNECTIONS / processes,
        expected: { status: 201, text: '"status":"successful"' },
      }),
    ),
  );
  const waiting = await watch.end();
  const cpuSeconds = await using;
  const perSecond = outcomes.reduce((sum, outcome) => sum + validated(outcome).perSecond, 0);
  return {
    perSecond,
    p99Ms: Math.max(...outcomes.map(({ p99Ms }) => p99Ms)),
    cpuUs: (cpuSeconds / (perSecond * timing.seconds)) * 1e6,
    waiting,
  };
}

runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  lifetime.endWithParent();
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
  const service = await Service.start(lifetime);
  const client = new Client({ connectionString: service.database.url });
  await lifetime.own(client.connect(), () => client.end());
  const first = await service.startApi();
  const shops = await openShops(service, first.port);
  const runs = ARRANGEMENTS.map((): Run[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, arrangement] of ARRANGEMENTS.entries()) {
      const start = () => service.startApi({ LANES: String(arrangement.lanes) });
      const apis = await Promise.all(Array.from({ length: arrangement.processes }, start));
      const run = await measure(service, client, arrangement, { apis, shops });
      for (const { pid } of apis) await service.processes.stopById(pid);
      runs[i]!.push(run);
      console.log(`${arrangement.name}: ${Math.round(run.perSecond)}/s, ${(run.waiting * 100).toFixed(1)} % waiting`);
    }
  }
  await service.verifyBooks();
  const of = (i: number, what: keyof Run): number => median(runs[i]!.map((run) => run[what]));
  const rows = ARRANGEMENTS.map(({ name }, i) =>
    [
      name,
      Math.round(of(i, 'perSecond')).toLocaleString('en'),
      (of(i, 'perSecond') / of(0, 'perSecond')).toFixed(2),
      `${(of(i, 'waiting') * 100).toFixed(1)} %`,
      `${Math.round(of(i, 'cpuUs'))} µs`,
      (of(i, 'cpuUs') / of(0, 'cpuUs')).toFixed(2),
      `${of(i, 'p99Ms').toFixed(0)} ms`,
    ].join(' | '),
  );
  console.log(`
${await describeMachine(service.database.url)}

| Credits and purchases, half each, from ${WALLETS} wallets | A second | ÷ first | Samples that wait for a row | CPU of Duka and PostgreSQL for one | ÷ first | p99 |
|---|--:|--:|--:|--:|--:|--:|
${rows.map((row) => `| ${row} |`).join('\n')}`);
  await lifetime.end(0);
});

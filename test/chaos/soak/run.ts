import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { openBank, post } from '../../../bench/bank';
import { validated } from '../../../bench/measured';
import { type Listening, Service } from '../../../bench/service';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude, figure } from '../command-line';
import { listenForEvents } from '../listener';
import { Load, openWallets } from '../load';
import { untilNothingWaits } from '../webhooks/reckoning';
import { growthOf } from './growth';

const WALLETS = 1_000;
const CONNECTIONS = 64;
const PEAK = { warmUpSeconds: 10, seconds: 20 };
const THIRDS = 3;
/** Of the whole run; each collects all garbage, which takes tens of milliseconds. */
const SAMPLES = 120;
const SAMPLE_MS_MIN = 5_000;
const BACKLOG_MAX_MS = 60_000;

/** Of less time figures are told and not judged: caches that fill say more than what is lost. */
const JUDGED_MINUTES = 60;
/** MiB an hour. */
const KEPT_MAX = 1;
/** The last third against the first one. */
const RESIDENT_MAX = 1.1;
const P99_MAX = 1.25;
/** A difference of so little says nothing. */
const P99_NOISE_MS = 5;

/**
 * `npm run test:chaos:soak`: MINUTES (120) at half of the peak rate, by processes as they run in production. What API and worker keep after
 * a collection of all garbage grows by no more than 1 MiB an hour, p99 does not grow, and the books are in order.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const minutes = figure('MINUTES', 120);
  const folder = mkdtempSync(join(tmpdir(), 'duka-soak-'));
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const service = await Service.start(lifetime);
  service.settings = {
    WORKER_IN_API: 'false',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    NODE_OPTIONS: `--require=${join(__dirname, 'memory.cjs')}`,
    MEMORY_FILE: join(folder, 'memory'),
    MEMORY_EVERY_MS: String(Math.max(SAMPLE_MS_MIN, (minutes * 60_000) / SAMPLES)),
  };
  const api = await service.startApi();
  const worker = await service.startWorker();
  const put = await transfersOn(service, api);
  const peak = (await put(PEAK)).perSecond;
  const rate = Math.floor(peak / 2);
  console.log(`peak: ${Math.round(peak)} transfers a second; ${minutes} min at ${rate}`);

  const told = await Told.start(lifetime, service, api);
  const since = Date.now();
  const p99s: number[] = [];
  for (let third = 1; third <= THIRDS; third++) {
    const outcome = await put({ warmUpSeconds: 0, seconds: (minutes * 60) / THIRDS }, rate);
    console.log(`third ${third}: ${outcome.answered} transfers, p99 ${outcome.p99Ms.toFixed(1)} ms`);
    p99s.push(outcome.p99Ms);
  }
  const wrong = await told.finish();

  const judge = (isRight: boolean, found: string): void => {
    console.log(found);
    if (!isRight && minutes >= JUDGED_MINUTES) wrong.push(found);
  };
  const growths = Object.entries({ API: api.pid, worker: worker.pid! }).map(([name, pid]) =>
    growthOf(name, `${service.settings.MEMORY_FILE}.${pid}`, since),
  );
  const pair = (each: readonly number[]): string => each.map((value) => value.toFixed(1)).join(' → ');
  for (const { name, perHour, error, kept, resident } of growths) {
    const grows = `${perHour.toFixed(2)} ± ${error.toFixed(2)} MiB an hour`;
    judge(perHour - error <= KEPT_MAX, `${name} keeps ${pair(kept)} MiB, ${grows} more`);
    judge(resident[1] <= resident[0] * RESIDENT_MAX, `${name} has ${pair(resident)} MiB resident`);
  }
  const [first, last] = [p99s[0]!, p99s.at(-1)!];
  judge(last <= Math.max(first * P99_MAX, first + P99_NOISE_MS), `p99 ${pair([first, last])} ms`);
  // Throws when they are not in order.
  await service.verifyBooks();
  const growing = growths.map(({ name, perHour, error }) => `${name} ${perHour.toFixed(2)} ± ${error.toFixed(2)}`);
  const said = `${minutes} min at ${rate} a second: MiB an hour ${growing.join(', ')}; p99 ${pair([first, last])} ms`;
  await conclude(
    lifetime,
    wrong,
    `${said}; books in order.${minutes < JUDGED_MINUTES ? ' Too short to be judged.' : ''}`,
  );
});

/** Puts transfers between many wallets of an account on the API; without a rate as many as it carries. */
async function transfersOn(service: Service, { port }: Listening) {
  const { partner, wallets } = await openBank(service, port, WALLETS);
  const requests = { kind: 'transfer', port, key: partner.key, wallets } as const;
  const expected = { status: 201, text: '"status":"successful"' };
  return async (timing: typeof PEAK, ratePerSecond?: number) =>
    validated(await service.processes.load({ ...timing, requests, connections: CONNECTIONS, ratePerSecond, expected }));
}

/** Another account that is told of its transfers, for the worker to have something to deliver. */
class Told {
  private static readonly PER_SECOND = 10;
  private arrived = 0;

  private constructor(
    private readonly load: Load,
    private readonly db: Pool,
  ) {}

  static async start(lifetime: Lifetime, service: Service, { port }: Listening): Promise<Told> {
    const { key } = await service.openPartner('Told');
    const server = { url: `http://127.0.0.1:${port}`, key };
    const db = await lifetime.own(Promise.resolve(new Pool({ connectionString: service.database.url })), (pool) =>
      pool.end(),
    );
    const wallets = await openWallets(server, 10, 1_000_000_000);
    const since = performance.now();
    const load = new Load(server, wallets, () => (Told.PER_SECOND * (performance.now() - since)) / 1_000);
    const told = new Told(load, db);
    const url = await listenForEvents(lifetime, () => told.arrived++);
    await post(port, key, '/v4/webhooks', { url, events: ['transfer.successful'] });
    load.start();
    return told;
  }

  /** What went wrong. */
  async finish(): Promise<string[]> {
    const { load, db } = this;
    await load.finish();
    const backlogMs = await untilNothingWaits(db, performance.now(), BACKLOG_MAX_MS);
    const { accepted, faults } = load;
    console.log(
      `${this.arrived} events of ${accepted.size} arrived, the last ${(backlogMs / 1_000).toFixed(1)} s after the end`,
    );
    const wrong = Array.from(faults, ([what, count]) => `${count} × ${what}`);
    if (backlogMs > BACKLOG_MAX_MS || this.arrived < accepted.size) wrong.push('events did not arrive');
    return wrong;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Pool } from 'pg';
import { Env } from '../../../src/core/config/env';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { queueOptions } from '../../../src/core/queue/queue-options';
import { RECURRING_QUEUE } from '../../../src/core/queue/recurring-jobs';
import { conclude, option } from '../command-line';
import type { Program } from '../program';
import { Service } from '../service';
import { RedisServer } from '../webhooks/redis-server';
import { freePort } from '../../../src/core/process/ports';
import { openPool } from '../open-pool';

const WORKERS = 8;
/** Where PostgreSQL carries the queues each has up to 40 connections, of the 200 of its server. */
const WORKERS_ON_POSTGRES = 4;
const SPREAD_MAX_MS = 100;
const PERIODS_MAX = 2;
/** Two periods of those whose period is 10 s at most: the others are seen in rounds that begin with an empty queue. */
const LOOK_MS = 20_000;
const POLL_MS = 100;
const READY_MAX_MS = 180_000;
const TOKEN = 'metrics-of-this-run';

interface Fleet {
  readonly launchedWithinMs: number;
  readonly readyMs: number;
  readonly ports: readonly number[];
}

class Run {
  readonly wrong: string[] = [];
  private readonly gaps = new Map<string, number>();
  private seen = 0;
  private spreadMs = 0;
  /** Rounds whose workers took longer to be started: the machine is too busy. */
  private slow = 0;

  private constructor(
    private readonly service: Service,
    private readonly db: Pool,
    private readonly queue: Queue,
    private readonly workers: readonly Program[],
  ) {}

  static async start(lifetime: Lifetime, redis: RedisServer | null): Promise<Run> {
    const settings = {
      WORKER_IN_API: 'false',
      METRICS_TOKEN: TOKEN,
      DATABASE_POOL_SIZE: '1',
      SHUTDOWN_NOTICE_SECONDS: '0',
      ...(redis && { REDIS_URL: redis.url }),
    };
    const service = await Service.start(lifetime, settings);
    const db = await openPool(lifetime, service.databaseUrl);
    const env = Object.assign(new Env(), { DATABASE_URL: service.databaseUrl, REDIS_URL: redis?.url });
    const queue = new Queue(RECURRING_QUEUE, queueOptions(env));
    await lifetime.own(Promise.resolve(queue), (one) => one.close());
    const workers = Array.from({ length: redis ? WORKERS : WORKERS_ON_POSTGRES }, (_, index) =>
      service.program('worker.js', `worker-${index}.log`),
    );
    await lifetime.own(
      Promise.resolve(),
      async () => void (await Promise.all(workers.map((one) => one.end('SIGKILL')))),
    );
    return new Run(service, db, queue, workers);
  }

  /** Every other one begins with an empty queue: then all jobs run, also those that do so once a day. */
  async round(number: number): Promise<void> {
    const isEmpty = number % 2 === 1;
    if (isEmpty) await this.queue.obliterate({ force: true });
    if (isEmpty) await this.db.query('DELETE FROM recurring_runs');
    const { launchedWithinMs, readyMs, ports } = await this.launch();
    const periods = await this.periods(ports[0]!);
    const complain = (what: string): void => {
      this.wrong.push(`round ${number}: ${what}`);
      console.log(`! ${this.wrong.at(-1)}`);
    };
    this.spreadMs = Math.max(this.spreadMs, launchedWithinMs);
    if (launchedWithinMs > SPREAD_MAX_MS) this.slow++;
    const [{ at: from }] = (await this.db.query<{ at: number }>(NOW)).rows as [{ at: number }];
    const runs = await this.watch(isEmpty ? 0 : from);
    for (const [job, periodMs] of periods) {
      const times = runs.get(job) ?? [];
      const isJudged = periodMs * PERIODS_MAX <= LOOK_MS;
      if (times.length === 0 && (isEmpty || isJudged)) complain(`${job} did not run`);
      if (!isJudged) continue;
      const after = times.filter((at) => at > from);
      const ends = [from, ...after, from + LOOK_MS];
      const longest = Math.max(...ends.slice(1).map((at, index) => at - ends[index]!)) / periodMs;
      this.gaps.set(job, Math.max(this.gaps.get(job) ?? 0, longest));
      if (longest > PERIODS_MAX) complain(`${job} was away for ${longest.toFixed(1)} periods`);
      if (after.length > LOOK_MS / periodMs + 2) complain(`${job} ran ${after.length} times`);
    }
    await this.schedulesAre(periods, complain);
    await Promise.all(this.workers.map((worker) => worker.end('SIGTERM')));
    this.seen++;
    console.log(
      `round ${number}: all ready after ${(readyMs / 1_000).toFixed(1)} s, ${this.wrong.length} faults so far`,
    );
  }

  tell(): void {
    console.log(
      `\n${this.seen} rounds of ${this.workers.length} workers, started within ${Math.ceil(this.spreadMs)} ms at most;`,
    );
    console.log(`${this.slow} rounds took more than ${SPREAD_MAX_MS} ms to start them`);
    console.log('longest time between two runs, in periods');
    for (const [job, longest] of this.gaps) console.log(`  ${job.padEnd(40)}${longest.toFixed(2)}`);
  }

  private async launch(): Promise<Fleet> {
    const ports: number[] = [];
    for (let index = 0; index < this.workers.length; index++) ports.push(await freePort());
    const begun = performance.now();
    for (const [index, worker] of this.workers.entries())
      worker.launch({ ...this.service.env, WORKER_PORT: String(ports[index]) });
    const launchedWithinMs = performance.now() - begun;
    await Promise.all(ports.map((port) => untilReady(port)));
    return { launchedWithinMs, readyMs: performance.now() - begun, ports };
  }

  /** By job, in milliseconds. */
  private async periods(port: number): Promise<ReadonlyMap<string, number>> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    const found = text.matchAll(/^recurring_job_period_seconds\{job="([^"]+)"\} (\S+)/gm);
    return new Map(Array.from(found, ([, job, seconds]) => [job!, Number(seconds) * 1_000]));
  }

  /** When each job was done, after `from`. */
  private async watch(from: number): Promise<ReadonlyMap<string, number[]>> {
    const times = new Map<string, number[]>();
    for (const end = performance.now() + LOOK_MS; performance.now() < end; await sleep(POLL_MS)) {
      const { rows } = await this.db.query<{ job: string; at: number }>(RUNS);
      for (const { job, at } of rows) {
        const known = times.get(job) ?? [];
        if (at > from && at !== known.at(-1)) times.set(job, [...known, at]);
      }
    }
    return times;
  }

  /** One schedule for each job, and one job of it that waits. */
  private async schedulesAre(periods: ReadonlyMap<string, number>, complain: (what: string) => void): Promise<void> {
    const schedulers = (await this.queue.getJobSchedulers()).map(({ key }) => key);
    const names = [...periods.keys()].toSorted();
    if (schedulers.toSorted().join() !== names.join()) complain(`schedules are ${schedulers.join(', ')}`);
    const waiting = await this.queue.getJobs(['delayed', 'waiting', 'prioritized']);
    for (const [name, jobs] of Map.groupBy(waiting, (job) => job.name))
      if (jobs.length > 1) complain(`${name} waits ${jobs.length} times`);
  }
}

const MS = 'extract(epoch FROM $) * 1000';
const NOW = `SELECT (${MS.replace('$', 'clock_timestamp()')})::float8 AS at`;
const RUNS = `SELECT job, (${MS.replace('$', 'finished_at')})::float8 AS at FROM recurring_runs`;

async function untilReady(port: number): Promise<void> {
  for (const end = performance.now() + READY_MAX_MS; performance.now() < end; await sleep(POLL_MS))
    if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) return;
  throw new Error(`the worker on port ${port} is not ready after ${READY_MAX_MS / 1_000} s`);
}

// `npm run test:chaos:schedulers`: workers that start at the same moment neither lose nor double a recurring job.
// `-- --redis`: queues on Redis; `--rounds=50`.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const rounds = Number(option('rounds') ?? 50);
  const redis = process.argv.includes('--redis') ? await RedisServer.start(lifetime) : null;
  const run = await Run.start(lifetime, redis);
  for (let round = 1; round <= rounds; round++) await run.round(round);
  run.tell();
  await conclude(lifetime, run.wrong, `Each job ran within ${PERIODS_MAX} periods, and none twice.`);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import Redis from 'ioredis';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Env } from '../src/core/config/env';
import { clientConfig } from '../src/core/database/options';
import { connected, PrimaryClient } from '../src/core/database/primary-client';
import { Readiness } from '../src/core/health/readiness';
import { registry } from '../src/core/metrics/metrics';
import { closeApp } from '../src/core/process/lifetime';
import { offsetOf, RecurringJobs } from '../src/core/queue/recurring-jobs';
import { createTestDatabase, type TestDatabase } from './support/database';
import { Jobs, Namesake, queueOf, seen, startProcess, Successor, until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

const start = (settings: Partial<Env>, jobs?: Parameters<typeof startProcess>[1]) =>
  startProcess({ DATABASE_URL: database.url, ...settings }, jobs);

it('two jobs of one name stop the boot, which says where they are', async () => {
  const module = Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [RecurringJobs, Jobs, Namesake, { provide: DataSource, useValue: {} }],
  });
  const app = await module.compile();
  await expect(app.init()).rejects.toThrow('two recurring jobs are called "test.tick": Jobs.tick and Namesake.other');
});

it('a connection that breaks while nobody asks anything ends no process', async () => {
  const config = clientConfig(Object.assign(new Env(), { DATABASE_URL: database.url }), 'owner');
  const client = new PrimaryClient(config);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const ended = new Promise<void>((resolve) => void client.once('end', resolve));
  await connected(config, (other) => other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]));
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
});

describe('recurring jobs on PostgreSQL', () =>
  behaves({}, async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
  }));

describeWithRedis('recurring jobs on Redis', (url) =>
  behaves({ REDIS_URL: url }, async () => {
    const redis = new Redis(url);
    const clients = String(await redis.call('CLIENT', 'LIST'))
      .trim()
      .split('\n');
    const { db } = redis.options;
    for (const client of clients.filter((line) => line.includes(` db=${db} `))) {
      await redis.call('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(client)![1]!, 'SKIPME', 'yes');
    }
    redis.disconnect();
  }),
);

it('a schedule whose next job was lost goes on after three periods, and a metric says when it was last done', async () => {
  const app = await start({ WORKER_IN_API: true });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await until(() => seen.ticks > 0);
  const isLost = async (): Promise<boolean> => {
    await client.query(
      `DELETE FROM bullmq.job WHERE queue = 'recurring' AND name = 'test.tick' AND state IN ('delayed', 'waiting')`,
    );
    const before = seen.ticks;
    await sleep(300);
    return seen.ticks === before;
  };
  await until(isLost, 1);
  const ticks = seen.ticks;
  await until(() => seen.ticks > ticks);
  expect(await registry.getSingleMetricAsString('recurring_job_age_seconds')).toMatch(
    /recurring_job_age_seconds\{job="test.tick"\} \d/,
  );
  await client.end();
  await closeApp(app);
});

function behaves(settings: Partial<Env>, cutConnections: () => Promise<unknown>): void {
  beforeEach(async () => {
    const app = await start(settings, []);
    await queueOf(app).obliterate({ force: true });
    await closeApp(app);
    Object.assign(seen, { ticks: 0, failures: 0, slowRuns: [] });
  });

  it('runs each at its rate, also beside one that fails and one that takes long', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => seen.slowRuns.length === 1);
    const before = seen.ticks;
    await until(() => seen.slowRuns.length === 2);
    expect(seen.ticks - before).toBeGreaterThanOrEqual(3);
    expect(seen.failures).toBeGreaterThanOrEqual(3);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/recurring_job_runs_total\{job="test.fail",outcome="failed"\} [1-9]/);
    expect(metrics).toMatch(/recurring_job_runs_total\{job="test.tick",outcome="done"\} [1-9]/);
    expect(metrics).toMatch(/queue_jobs\{queue="recurring",state="delayed"\} [1-9]/);
    await closeApp(app);
  });

  it('runs a job once per turn, however many workers there are', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => start({ WORKER_IN_API: true, ...settings })));
    await until(() => seen.ticks > 0);
    const before = seen.ticks;
    await sleep(1_000);
    expect(seen.ticks - before).toBeLessThanOrEqual(12);
    expect(seen.ticks - before).toBeGreaterThanOrEqual(5);
    await Promise.all(apps.map(closeApp));
  });

  it('takes a job that another process adds', async () => {
    const [api, worker] = [await start(settings, []), await start({ WORKER_IN_API: true, ...settings })];
    await until(() => seen.slowRuns.length === 2);
    await queueOf(api).add('test.slow', {});
    await until(() => seen.slowRuns.length === 4);
    await Promise.all([closeApp(api), closeApp(worker)]);
  });

  it('finishes the job under way when the process stops', async () => {
    const first = await start({ WORKER_IN_API: true, ...settings }, [Successor]);
    await closeApp(first);
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => seen.slowRuns.includes('started'));
    await closeApp(app);
    expect(seen.slowRuns).toEqual(['started', 'ended']);
  });

  it('runs nothing in a process without workers, which is ready all the same', async () => {
    const app = await start(settings);
    await sleep(400);
    expect(seen.ticks).toBe(0);
    expect(await app.get(Readiness).obstacles()).toEqual([]);
    await closeApp(app);
  });

  it('forgets the schedules that the code no longer has', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings }, [Successor]);
    const queue = queueOf(app);
    const names = async () => (await queue.getJobSchedulers()).map(({ key }) => key).sort();
    const now = ['database.partitions', 'database.statistics', 'test.new'];
    // One after the other: the new one may be there before the rest.
    await until(async () => (await names()).join() === now.join());
    expect(await names()).toEqual(now);
    await closeApp(app);
  });

  it('schedules again what an emptied server forgot', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => seen.ticks > 0);
    await queueOf(app).obliterate({ force: true });
    const before = seen.ticks;
    await until(() => seen.ticks > before + 5);
    await closeApp(app);
  });

  it('goes on when what comes next was set by a clock that was ahead', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    const queue = queueOf(app);
    await until(() => seen.ticks > 0);
    const ahead = Date.now() + 3 * 86_400_000;
    // A run that was under way would say when the next one is.
    await until(async () => {
      await queue.removeJobScheduler('test.tick');
      await queue.upsertJobScheduler('test.tick', { every: 100, startDate: ahead });
      const next = (await queue.getJobScheduler('test.tick'))?.next ?? 0;
      return (await queue.getActiveCount()) === 0 && next >= ahead;
    });
    // It is taken away first: for a moment there is none.
    await until(async () => ((await queue.getJobScheduler('test.tick'))?.next ?? ahead) < ahead);
    const before = seen.ticks;
    await until(() => seen.ticks > before + 5);
    await closeApp(app);
  });

  it('moves a schedule that was made without its place in the period', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    const queue = queueOf(app);
    const offset = offsetOf({ name: 'test.tick', everyMs: 100 })!;
    await queue.removeJobScheduler('test.tick');
    await queue.upsertJobScheduler('test.tick', { every: 100, offset: (offset % 99) + 1 });
    await until(async () => (await queue.getJobScheduler('test.tick'))?.offset === offset);
    const before = seen.ticks;
    await until(() => seen.ticks > before + 5);
    await closeApp(app);
  });

  it('runs every job soon when eight workers start at once', async () => {
    for (let round = 1; round <= 2; round++) {
      const queue = await start(settings, []);
      await queueOf(queue).obliterate({ force: true });
      await closeApp(queue);
      Object.assign(seen, { ticks: 0, failures: 0, slowRuns: [] });
      const workers = await Promise.all(Array.from({ length: 8 }, () => start({ WORKER_IN_API: true, ...settings })));
      await until(() => seen.ticks > 1 && seen.failures > 1 && seen.slowRuns.length > 0, 20);
      await Promise.all(workers.map(closeApp));
    }
  });

  it('keeps the time of an unchanged schedule when a worker starts', async () => {
    const nextOf = async () => {
      const app = await start({ WORKER_IN_API: true, ...settings });
      const queue = queueOf(app);
      await until(async () => ((await queue.getJobScheduler('database.partitions'))?.iterationCount ?? 0) > 1);
      const { next } = (await queue.getJobScheduler('database.partitions'))!;
      await closeApp(app);
      return next;
    };
    expect(await nextOf()).toBe(await nextOf());
  });

  it('goes on after the server cut every connection', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => seen.ticks > 0);
    await cutConnections();
    const before = seen.ticks;
    // A job that was cut in the middle keeps its lock: BullMQ looks for such every 30 s, and gives it back at the next look.
    await until(() => seen.ticks > before + 5, 75);
    expect(await app.get(Readiness).obstacles()).toEqual([]);
    await closeApp(app);
  });
}

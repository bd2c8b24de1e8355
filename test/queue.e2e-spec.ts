import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, Injectable, Module, type Type } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bullmq';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Queue } from 'bullmq';
import Redis from 'ioredis';
import { Client } from 'pg';
import { ConfigModule } from '../src/core/config/config.module';
import { Env } from '../src/core/config/env';
import { DatabaseModule } from '../src/core/database/database.module';
import { Readiness } from '../src/core/health/readiness';
import { HttpModule } from '../src/core/http/http.module';
import { registry } from '../src/core/metrics/metrics';
import { closeApp } from '../src/core/process/close-app';
import { QueueModule } from '../src/core/queue/queue.module';
import { Recurring } from '../src/core/queue/recurring';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { createTestDatabase, type TestDatabase } from './support/database';
import { describeWithRedis } from './support/redis';

let ticks = 0;
let failures = 0;
let slowRuns: ('started' | 'ended')[] = [];

@Injectable()
class Jobs {
  @Recurring({ name: 'test.tick', everyMs: 100 })
  async tick(): Promise<void> {
    ticks++;
  }

  @Recurring({ name: 'test.fail', everyMs: 100 })
  async fail(): Promise<void> {
    failures++;
    throw new Error('on purpose');
  }

  @Recurring({ name: 'test.slow', everyMs: 60_000 })
  async slow(): Promise<void> {
    slowRuns.push('started');
    await sleep(700);
    slowRuns.push('ended');
  }
}

@Injectable()
class Namesake {
  @Recurring({ name: 'test.tick', everyMs: 1_000 })
  async other(): Promise<void> {}
}

@Injectable()
class Successor {
  @Recurring({ name: 'test.new', everyMs: 60_000 })
  async run(): Promise<void> {}
}

@Module({})
class ProbeModule {
  static with(env: Env, jobs: Type[]): DynamicModule {
    return { module: ProbeModule, imports: [ConfigModule.register(env), DatabaseModule, HttpModule, QueueModule], providers: jobs };
  }
}

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

function start(settings: Partial<Env>, jobs: Type[] = [Jobs]) {
  const env = Object.assign(new Env(), { DATABASE_URL: database.url, SECRETS_KEY: Buffer.alloc(32).toString('base64'), ...settings });
  return NestFactory.createApplicationContext(ProbeModule.with(env, jobs), { logger: false, abortOnError: false });
}

it('two jobs of one name stop the boot, which says where they are', async () => {
  const module = Test.createTestingModule({ imports: [DiscoveryModule], providers: [RecurringJobs, Jobs, Namesake] });
  const app = await module.compile();
  await expect(app.init()).rejects.toThrow('two recurring jobs are called "test.tick": Jobs.tick and Namesake.other');
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isTrue()) return;
    await sleep(20);
  }
  throw new Error('it did not happen within 10 s');
}

describe('recurring jobs on PostgreSQL', () =>
  behaves({}, async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    await client.end();
  }));

describeWithRedis('recurring jobs on Redis', (url) =>
  behaves({ REDIS_URL: url }, async () => {
    const redis = new Redis(url);
    const clients = String(await redis.call('CLIENT', 'LIST')).trim().split('\n');
    const { db } = redis.options;
    for (const client of clients.filter((line) => line.includes(` db=${db} `))) {
      await redis.call('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(client)![1]!, 'SKIPME', 'yes');
    }
    redis.disconnect();
  }));

function behaves(settings: Partial<Env>, cutConnections: () => Promise<unknown>): void {
  beforeEach(() => {
    [ticks, failures, slowRuns] = [0, 0, []];
  });

  it('runs each at its rate, also beside one that fails and one that takes long', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => slowRuns.length === 1);
    const before = ticks;
    await until(() => slowRuns.length === 2);
    expect(ticks - before).toBeGreaterThanOrEqual(3);
    expect(failures).toBeGreaterThanOrEqual(3);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/recurring_job_runs_total\{job="test.fail",outcome="failed"\} [1-9]/);
    expect(metrics).toMatch(/recurring_job_runs_total\{job="test.tick",outcome="done"\} [1-9]/);
    expect(metrics).toMatch(/queue_jobs\{queue="recurring",state="delayed"\} [1-9]/);
    await closeApp(app);
  });

  it('runs a job once per turn, however many workers there are', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => start({ WORKER_IN_API: true, ...settings })));
    await until(() => ticks > 0);
    const before = ticks;
    await sleep(1_000);
    expect(ticks - before).toBeLessThanOrEqual(12);
    expect(ticks - before).toBeGreaterThanOrEqual(5);
    await Promise.all(apps.map(closeApp));
  });

  it('takes a job that another process adds', async () => {
    const [api, worker] = [await start(settings, []), await start({ WORKER_IN_API: true, ...settings }, [Successor])];
    const done = jest.spyOn(worker.get(Successor), 'run');
    await api.get<Queue>(getQueueToken('recurring')).add('test.new', {});
    await until(() => done.mock.calls.length > 0);
    await Promise.all([closeApp(api), closeApp(worker)]);
  });

  it('finishes the job under way when the process stops', async () => {
    const first = await start({ WORKER_IN_API: true, ...settings }, [Successor]);
    await closeApp(first);
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => slowRuns.includes('started'));
    await closeApp(app);
    expect(slowRuns).toEqual(['started', 'ended']);
  });

  it('runs nothing in a process without workers, which is ready all the same', async () => {
    const app = await start(settings);
    await sleep(400);
    expect(ticks).toBe(0);
    expect(await app.get(Readiness).obstacles()).toEqual([]);
    await closeApp(app);
  });

  it('forgets the schedules that the code no longer has', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings }, [Successor]);
    const queue = app.get<Queue>(getQueueToken('recurring'));
    const names = async () => (await queue.getJobSchedulers()).map(({ key }) => key).sort();
    await until(async () => (await names()).includes('test.new'));
    expect(await names()).toEqual(['database.partitions', 'test.new']);
    await closeApp(app);
  });

  it('schedules again what an emptied server forgot', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => ticks > 0);
    await app.get<Queue>(getQueueToken('recurring')).obliterate({ force: true });
    const before = ticks;
    await until(() => ticks > before + 5);
    await closeApp(app);
  });

  it('keeps the time of an unchanged schedule when a worker starts', async () => {
    const nextOf = async () => {
      const app = await start({ WORKER_IN_API: true, ...settings });
      const queue = app.get<Queue>(getQueueToken('recurring'));
      await until(async () => ((await queue.getJobScheduler('database.partitions'))?.iterationCount ?? 0) > 1);
      const { next } = (await queue.getJobScheduler('database.partitions'))!;
      await closeApp(app);
      return next;
    };
    expect(await nextOf()).toBe(await nextOf());
  });

  it('goes on after the server cut every connection', async () => {
    const app = await start({ WORKER_IN_API: true, ...settings });
    await until(() => ticks > 0);
    await cutConnections();
    const before = ticks;
    await until(() => ticks > before + 5);
    expect(await app.get(Readiness).obstacles()).toEqual([]);
    await closeApp(app);
  });
}

import { Queue, Worker } from 'bullmq';
import { Env } from '../src/core/config/env';
import { queueOptions, WORKER_OPTIONS } from '../src/core/queue/queue-options';
import { createTestDatabase, type TestDatabase } from './support/database';
import { PostgresProxy } from './support/postgres-proxy';
import { until } from './support/recurring-probe';

let database: TestDatabase;
let proxy: PostgresProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await PostgresProxy.before(database.url);
});
afterAll(async () => {
  await proxy.goAway();
  await database.drop();
});

it('a worker and a queue that start while PostgreSQL is away work once it is back', async () => {
  await proxy.goAway();
  const options = queueOptions(Object.assign(new Env(), { DATABASE_URL: proxy.url }));
  const done: string[] = [];
  const worker = new Worker('away', async ({ name }) => void done.push(name), { ...options, ...WORKER_OPTIONS });
  const queue = new Queue('away', options);
  // Both tell of it as events, as often as they like; unheard these would end the process.
  worker.on('error', () => undefined);
  queue.on('error', () => undefined);
  try {
    await expect(queue.add('too early', {})).rejects.toThrow();
    await proxy.comeBack();
    await queue.add('in time', {});
    await until(() => done.length === 1);
    expect(done).toEqual(['in time']);
  } finally {
    await Promise.all([worker.close(), queue.close()]);
  }
});

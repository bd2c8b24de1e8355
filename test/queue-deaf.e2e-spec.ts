import Redis from 'ioredis';
import { Client } from 'pg';
import type { Env } from '../src/core/config/env';
import { QueueCanaries } from '../src/core/queue/queue-workers';
import { TestDeliveriesProcessor } from '../src/modules/webhooks/delivery/deliveries.processor';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { RedisWire, startRedis } from './support/redis-server';
import { WebhookBench } from './support/webhook-bench';

/** The outages of a deployment, in small. */
const DEAF_SECONDS = 3;

let exit: jest.SpyInstance;
beforeAll(() => {
  exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
});
afterAll(() => exit.mockRestore());

/** What goes wrong with the queue, and is right again when it returns. */
type Outage = (bench: WebhookBench) => Promise<void>;

const isReady = async (bench: WebhookBench): Promise<boolean> =>
  (await fetch(`${bench.duka.url}/readyz`)).status === 200;
const obstacles = async (bench: WebhookBench): Promise<string> => (await fetch(`${bench.duka.url}/readyz`)).text();

async function delivers(bench: WebhookBench): Promise<void> {
  const before = bench.receiver.received.length;
  // Right after an outage a request may be told to come again.
  await until(
    async () =>
      (await bench.account.api.post(`/v4/sandbox/wallets/${bench.wallet}/credit`, { amount: 100 })).status === 201,
  );
  await until(() => bench.receiver.received.length > before);
}

function behaves(start: () => Promise<Partial<Env>>, outages: Record<string, Outage>): void {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.start({ ...(await start()), WORKER_DEAF_SECONDS: DEAF_SECONDS });
    await bench.begin();
  });
  afterAll(async () => {
    await bench.end();
    await bench.stop();
  });

  it('replaces a worker that went deaf, and delivers again', async () => {
    await delivers(bench);
    const host = bench.duka.get<TestDeliveriesProcessor>(TestDeliveriesProcessor);
    const old = host.worker;
    await old.pause(true);
    await bench.credit();
    await until(() => host.worker !== old, 30);
    await delivers(bench);
    await until(() => isReady(bench));
  });

  it('is not ready while a worker is deaf, and ends when replacing it does not help', async () => {
    await until(() => isReady(bench));
    const host = bench.duka.get<TestDeliveriesProcessor>(TestDeliveriesProcessor);
    const replace = jest
      .spyOn(bench.duka.get<any>(QueueCanaries), 'replace')
      .mockImplementation(((seen: { replacedAt: number }) => void (seen.replacedAt = Date.now())) as never);
    await host.worker.pause(true);
    await until(async () => (await obstacles(bench)).includes('workers'), 30);
    expect(exit).not.toHaveBeenCalled();
    await until(() => exit.mock.calls.length > 0, 30);
    expect(exit).toHaveBeenCalledWith(1);
    replace.mockRestore();
    await host.worker.resume();
    await until(() => isReady(bench));
    exit.mockClear();
  });

  for (const [name, outage] of Object.entries(outages)) {
    it(`delivers on after ${name}`, async () => {
      for (let i = 0; i < 3; i++) {
        await outage(bench);
        await delivers(bench);
      }
      await until(() => isReady(bench), 30);
      expect(exit).not.toHaveBeenCalled();
    });
  }
}

describe('workers on PostgreSQL', () =>
  behaves(async () => ({ REDIS_URL: undefined }), {
    'all of its connections were ended': async (bench) => {
      const client = new Client({ connectionString: bench.duka.env.DATABASE_URL });
      await client.connect();
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await client.end();
    },
  }));

describeWithRedis('workers on Redis', () => {
  // One of its own: it is stopped.
  let url: string;
  const redis = async <T>(work: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };
  behaves(async () => ({ REDIS_URL: (url = (await startRedis())!) }), {
    'CLIENT KILL TYPE normal': () =>
      redis(async (client) => void (await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'))),
    // Of the server that this file started.
    'Redis stood still': async (bench) => {
      const pid = Number(/process_id:(\d+)/.exec(await redis((client) => client.info('server')))![1]);
      process.kill(pid, 'SIGSTOP');
      try {
        await until(async () => !(await isReady(bench)), 30);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    },
  });
});

describeWithRedis('workers whose Redis went silent', () => {
  let wire: RedisWire;
  let bench: WebhookBench;

  beforeAll(async () => {
    wire = await RedisWire.to((await startRedis())!);
    bench = await WebhookBench.start({ REDIS_URL: wire.url });
    await bench.begin();
  });
  afterAll(async () => {
    await bench.end();
    await bench.stop();
    await wire.close();
  });

  it('connect anew, and deliver what happened meanwhile', async () => {
    await delivers(bench);
    wire.goSilent();
    await bench.credit();
    await until(() => bench.receiver.received.length === 2, 40);
    await until(() => isReady(bench), 30);
  });
});

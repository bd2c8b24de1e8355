import { spawnSync } from 'node:child_process';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RateLimiter } from '../src/core/http/rate-limiter';
import { EvictionPolicy } from '../src/core/queue/eviction-policy';
import { AttemptsService } from '../src/modules/dashboard-api/people/attempts.service';
import { Readiness } from '../src/providers/readiness';
import { until } from './support/recurring-probe';
import { masterOf, onRedis, pidOf, removeFolders, startCluster, startSentinel } from './support/redis-groups';
import { WebhookBench } from './support/webhook-bench';

const [, version = '0'] = /v=(\d+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout) ?? [];
const describeHere = (name: string, body: () => void): void =>
  Number(version) >= 7 ? describe(name, body) : describe.skip(`${name} (needs redis-server 7 on PATH)`, body);

const RATE = 3;

let bench: WebhookBench;
afterAll(removeFolders);

async function begin(url: string): Promise<void> {
  bench = await WebhookBench.start({ REDIS_URL: url, RATE_LIMIT_LIVE: RATE });
  await bench.begin();
}

async function end(): Promise<void> {
  await bench.end();
  await bench.stop();
}

async function delivers(): Promise<void> {
  const before = bench.receiver.received.length;
  await bench.credit();
  await until(() => bench.receiver.received.length > before, 20);
}

/** How many of these are let through. */
async function passed(times: number, knocks: readonly (() => void | Promise<void>)[]): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time++)
    for (const knock of knocks)
      await (async () => knock())().then(
        () => count++,
        () => undefined,
      );
  return count;
}

/** Two processes count as one, once both are connected. */
async function countsTogether(): Promise<void> {
  const { duka } = bench;
  const limiters = [duka.get<RateLimiter>(RateLimiter), new RateLimiter(duka.env)];
  const attempts = [duka.get<AttemptsService>(AttemptsService), new AttemptsService(duka.env)];
  const reply = { header: () => reply } as unknown as FastifyReply;
  const requests = (keyId = crypto.randomUUID()) =>
    limiters.map((limiter) => () => limiter.spend({ accountId: keyId, keyId, livemode: true }, reply));
  const resets = (who = crypto.randomUUID()) => attempts.map((service) => () => service.count('reset', who));
  try {
    await until(async () => (await passed(2 * RATE, requests())) === 2 * RATE);
    await until(async () => (await passed(5, resets())) === 5);
  } finally {
    limiters[1]!.onApplicationShutdown();
    attempts[1]!.onApplicationShutdown();
  }
}

describeHere('a cluster of three masters', () => {
  let masters: string[];

  beforeAll(async () => {
    masters = await startCluster();
    await begin(`redis+cluster://${masters.map((url) => new URL(url).host).join(',')}`);
  });
  afterAll(end);

  it('carries deliveries and recurring jobs, in keys of one slot', async () => {
    await delivers();
    const keys = (await Promise.all(masters.map((url) => onRedis(url, (redis) => redis.keys('*duka*'))))).filter(
      ({ length }) => length > 0,
    );
    expect(keys).toHaveLength(1);
    expect(keys[0]!.filter((key) => !key.startsWith('{duka}:'))).toEqual([]);
    expect(keys[0]!.some((key) => key.startsWith('{duka}:recurring:repeat:'))).toBe(true);
    expect((await fetch(`${bench.duka.url}/readyz`)).status).toBe(200);
  });

  it('counts requests and attempts of all processes', async () => {
    await countsTogether();
  });

  it('is told apart by what each master does when its memory is full', async () => {
    const policy = bench.duka.get<EvictionPolicy>(EvictionPolicy);
    const queueItem = async () =>
      (await bench.duka.get<Readiness>(Readiness).list()).find(({ item }) => item === 'queue');
    expect(await policy.read()).toBe('noeviction');
    expect(await queueItem()).toMatchObject({ isReady: true });
    for (const master of masters) {
      await onRedis(master, (redis) => redis.config('SET', 'maxmemory-policy', 'allkeys-lru'));
      expect(await policy.read()).toBe('allkeys-lru');
      await onRedis(master, (redis) => redis.config('SET', 'maxmemory-policy', 'noeviction'));
    }
    await onRedis(masters[2]!, (redis) => redis.config('SET', 'maxmemory-policy', 'volatile-ttl'));
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await policy.look();
    expect(said.mock.calls).toEqual([[expect.objectContaining({ policy: 'volatile-ttl' })]]);
    said.mockRestore();
  });
});

describeHere('a master that sentinels watch', () => {
  let sentinel: string;

  beforeAll(async () => {
    sentinel = await startSentinel();
    await begin(`redis+sentinel://${new URL(sentinel).host},127.0.0.1:9/duka/1`);
  });
  afterAll(end);

  it('carries deliveries and counts', async () => {
    await delivers();
    await countsTogether();
    expect(await bench.duka.get<EvictionPolicy>(EvictionPolicy).read()).toBe('noeviction');
  });

  it('is followed by another when it is killed', async () => {
    const old = await masterOf(sentinel);
    process.kill(await pidOf(old), 'SIGKILL');
    await until(async () => (await masterOf(sentinel)) !== old, 20);
    await delivers();
    await countsTogether();
  });
});

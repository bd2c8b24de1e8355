import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { probeEnv, startProbe } from '../../../test/support/http-probe';
import type { Env } from '../config/env';
import { LocalCounts, RateLimiter } from './rate-limiter';

const KEY = '01900000-0000-7000-8000-000000000001';
const limiters: RateLimiter[] = [];

const create = (settings: Partial<Env>) => limiters[limiters.push(new RateLimiter(probeEnv(settings))) - 1]!;
afterEach(() => jest.useRealTimers());
afterAll(() => limiters.forEach((limiter) => limiter.onApplicationShutdown()));

async function spend(limiter: RateLimiter, { keyId = KEY, livemode = true } = {}): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  const reply = { header: (name: string, value: string) => ((headers[name] = value), reply) };
  await limiter.spend({ accountId: KEY, keyId, livemode }, reply as unknown as FastifyReply);
  return headers;
}

const spendTimes = async (limiter: RateLimiter, times: number, caller?: { keyId?: string; livemode?: boolean }) => {
  const outcomes = [];
  for (let time = 0; time < times; time++)
    outcomes.push(
      await spend(limiter, caller).then(
        () => 'taken',
        () => 'refused',
      ),
    );
  return outcomes.filter((outcome) => outcome === 'taken').length;
};

Logger.overrideLogger(false);

describe('the rate limit', () => {
  it('says what is left', async () => {
    const limiter = create({ RATE_LIMIT_LIVE: 3 });
    expect(await spend(limiter)).toEqual({ 'ratelimit-policy': '"key";q=6;w=2', ratelimit: '"key";r=5;t=2' });
    expect(await spend(limiter)).toMatchObject({ ratelimit: '"key";r=4;t=2' });
  });

  it('takes a burst of twice the rate, then refuses', async () => {
    const limiter = create({ RATE_LIMIT_LIVE: 3 });
    expect(await spendTimes(limiter, 20)).toBe(6);
    await expect(spend(limiter)).rejects.toMatchObject({ details: { code: 'rate_limited', retryAfter: 2 } });
  });

  it('counts keys and modes apart', async () => {
    const limiter = create({ RATE_LIMIT_LIVE: 3, RATE_LIMIT_TEST: 1 });
    expect(await spendTimes(limiter, 10)).toBe(6);
    expect(await spendTimes(limiter, 10, { keyId: `${KEY}b` })).toBe(6);
    expect(await spendTimes(limiter, 10, { livemode: false })).toBe(2);
  });

  it('begins anew', async () => {
    const limiter = create({ RATE_LIMIT_LIVE: 1 });
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    expect(await spendTimes(limiter, 5)).toBe(2);
    clock.mockReturnValue(2_000);
    expect(await spendTimes(limiter, 5)).toBe(2);
    clock.mockRestore();
  });

  it('never says three seconds of a window of two, however a float is rounded', async () => {
    // As 2656.65… + 2000 is stored, it is more than 2000 away.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(2656.6506631403586);
    expect(await spend(create({ RATE_LIMIT_LIVE: 1 }))).toMatchObject({ ratelimit: '"key";r=1;t=2' });
    clock.mockRestore();
  });

  it('forgets whoever came once, so that a storm of addresses fills no memory', () => {
    const counts = new LocalCounts();
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    for (let address = 0; address < 50_000; address++, now += 1) counts.consume(`address ${address}`);
    clock.mockRestore();
    // Those of the two seconds of a window.
    expect(counts.size).toBe(2_000);
  });

  it('is off at 0', async () => expect(await spend(create({}))).toEqual({}));

  it('is kept by the process itself, at once, while Redis is away', async () => {
    const limiter = create({ RATE_LIMIT_LIVE: 3, REDIS_URL: 'redis://127.0.0.1:1' });
    const start = performance.now();
    expect(await spendTimes(limiter, 20)).toBe(6);
    expect(performance.now() - start).toBeLessThan(200);
  });

  // Found or started by the set-up of the test run.
  const redisUrl = process.env.DUKA_TEST_REDIS;
  const withRedis = redisUrl ? it : it.skip;
  withRedis('is shared through Redis', async () => {
    // Nothing is late: where the machine has other work to do, limiters would wait too long and count by themselves.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const settings = { RATE_LIMIT_LIVE: 3, REDIS_URL: redisUrl };
    const keyId = crypto.randomUUID();
    const [one, other] = [create(settings), create(settings)];
    await Promise.all([one, other].map((limiter) => once(limiter['redis']!, 'ready')));
    expect((await spendTimes(one, 4, { keyId })) + (await spendTimes(other, 10, { keyId }))).toBe(6);
  });

  it('stands on every answer, and on the refusal with Retry-After', async () => {
    const { app, url } = await startProbe({ RATE_LIMIT_LIVE: 1 });
    const answers = [
      await fetch(`${url}/probe/things/1`),
      await fetch(`${url}/probe/failures/conflict`),
      await fetch(`${url}/probe/things/1`),
    ];
    await app.close();
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers.get('ratelimit-policy'),
        headers.get('ratelimit'),
        headers.get('retry-after'),
      ]),
    ).toEqual([
      [200, '"key";q=2;w=2', '"key";r=1;t=2', null],
      [409, '"key";q=2;w=2', '"key";r=0;t=2', null],
      [429, '"key";q=2;w=2', '"key";r=0;t=2', '2'],
    ]);
  });
});

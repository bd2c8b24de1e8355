import Redis from 'ioredis';

const server = process.env.DUKA_TEST_REDIS;

/**
 * A `describe` that runs where there is a Redis (REDIS_URL, or redis-server on PATH) and is reported as skipped elsewhere.
 * Test files that run side by side get a database number each.
 */
export function describeWithRedis(name: string, body: (redisUrl: string) => void): void {
  if (!server)
    return describe.skip(`${name} (needs REDIS_URL or redis-server on PATH)`, () => body('redis://none.invalid'));
  const url = new URL(server);
  url.pathname = process.env.JEST_WORKER_ID ?? '1';
  describe(name, () => {
    // Only our own server is emptied; one that was given may hold somebody's data.
    if (!process.env.REDIS_URL) beforeAll(() => empty(url.href));
    body(url.href);
  });
}

async function empty(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
}

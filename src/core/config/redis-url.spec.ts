import { InvalidEnvironment, loadEnv } from './env';
import { redisGroupOf } from './redis-url';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const NOBODY = { username: undefined, password: undefined };

describe('REDIS_URL', () => {
  it.each([
    'redis://cache:6379',
    'rediss://user:password@cache.example.com:6380/1?family=6',
    'redis+sentinel://one/main',
    'rediss+cluster://one,two',
  ])('may be %s', (url) => expect(loadEnv({}, { SECRETS_KEY, REDIS_URL: url }).REDIS_URL).toBe(url));

  it.each([
    'cache:6379',
    'http://cache:6379',
    'redis+sentinel://one,two',
    'redis+sentinel://one,two/',
    'redis+sentinel:///main',
    'redis+sentinel://one,,two/main',
    'redis+sentinel://one:port/main',
    'redis+sentinel://one:70000/main',
    'redis+sentinel://one/main/zero',
    'redis+sentinel://one/main?password=hunter2',
    'redis+sentinel://:%@one/main',
    'redis+cluster://',
    'redis+cluster://one/1',
    'redis+cluster://one?db=1',
    'sentinel://one/main',
  ])('is not %s, which one sentence says', (url) => {
    const load = () => loadEnv({}, { SECRETS_KEY, REDIS_URL: url });
    const faults = [expect.stringMatching(/^REDIS_URL must be redis:\/\/.*redis\+sentinel:\/\/.*redis\+cluster:\/\//)];
    expect(load).toThrow(InvalidEnvironment);
    expect(load).toThrow(expect.objectContaining({ faults }));
    expect(load).not.toThrow(/hunter2/);
  });

  it('names sentinels, the master, its database, and who may ask each', () => {
    expect(redisGroupOf('redis+sentinel://one:26380,[::1],three/main/2')).toEqual({
      kind: 'sentinel',
      isEncrypted: false,
      nodes: [
        { host: 'one', port: 26_380 },
        { host: '::1', port: 26_379 },
        { host: 'three', port: 26_379 },
      ],
      ...NOBODY,
      master: 'main',
      db: 2,
      sentinels: NOBODY,
    });
    const guarded = 'rediss+sentinel://duka:p%40ss:word@one/main?sentinelUsername=s&sentinelPassword=t%26';
    expect(redisGroupOf(guarded)).toMatchObject({
      isEncrypted: true,
      nodes: [{ host: 'one', port: 26_379 }],
      username: 'duka',
      password: 'p@ss:word',
      db: 0,
      sentinels: { username: 's', password: 't&' },
    });
  });

  it('names nodes of a cluster', () => {
    expect(redisGroupOf('redis+cluster://:secret@one,two:7000/')).toEqual({
      kind: 'cluster',
      isEncrypted: false,
      nodes: [
        { host: 'one', port: 6_379 },
        { host: 'two', port: 7_000 },
      ],
      username: undefined,
      password: 'secret',
    });
    expect(redisGroupOf('redis://one:6379')).toBeNull();
  });
});

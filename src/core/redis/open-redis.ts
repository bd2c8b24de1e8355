import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { type RedisGroup, redisGroupOf } from '../config/redis-url';

/** Where somebody waits for the answer: a node that is just being connected to has 50 ms. */
const IN_A_HURRY = { maxRedirections: 5, retryDelayOnFailover: 10, retryDelayOnClusterDown: 10 };

/**
 * A machine that is gone says nothing, and neither does a wire that was cut without a word: who waits longer than
 * workers do for a job, which is 10 s, connects anew.
 */
const SILENCE = { socketTimeout: 12_000 };

/** The one place that connects to Redis. `url`: of a server, of sentinels or of a cluster. */
export function openRedis(url: string, options: RedisOptions): Redis | Cluster {
  const redis = connect(url, options);
  // Without a listener an error of the connection would end the process; who sends a command hears of it.
  return redis.on('error', () => undefined);
}

function connect(url: string, options: RedisOptions): Redis | Cluster {
  const group = redisGroupOf(url);
  if (group === null) return new Redis(url, { ...options, ...SILENCE });
  return group.kind === 'cluster' ? clusterOf(group, options) : new Redis({ ...options, ...ofMaster(group) });
}

const ofMaster = ({
  isEncrypted,
  nodes,
  username,
  password,
  master,
  db,
  sentinels,
}: RedisGroup & { kind: 'sentinel' }) =>
  ({
    sentinels: [...nodes],
    name: master,
    db,
    username,
    password,
    sentinelUsername: sentinels.username,
    sentinelPassword: sentinels.password,
    ...SILENCE,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }) satisfies RedisOptions;

function clusterOf(
  { isEncrypted, nodes, username, password }: RedisGroup,
  { enableOfflineQueue, lazyConnect, retryStrategy, ...options }: RedisOptions,
): Cluster {
  return new Cluster([...nodes], {
    enableOfflineQueue,
    lazyConnect,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    ...(options.maxRetriesPerRequest === 0 && IN_A_HURRY),
    // Nodes are called as they call themselves: certificates name hosts.
    ...(isEncrypted && { dnsLookup: (address, done) => done(null, address) }),
    redisOptions: { ...options, ...SILENCE, username, password, ...(isEncrypted && { tls: {} }) },
  });
}

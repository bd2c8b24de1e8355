import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  createPostgresBackend,
  createIORedisClient,
  createRedisBackend,
  type QueueOptions,
  RedisConnection,
  runMigrations,
  setDefaultBackendFactory,
  type WorkerOptions,
} from 'bullmq';
import type { Env } from '../config/env';
import { isRedisCluster } from '../config/redis-url';
import { APPLICATION_ROLE, clientConfig } from '../database/options';
import { connected, PrimaryClient } from '../database/primary-client';
import { openRedis } from '../redis/open-redis';

/** PostgreSQL schema of the queues where there is no Redis. */
const queueSchema = ({ DATABASE_SCHEMA }: Env): string =>
  DATABASE_SCHEMA === 'public' ? 'bullmq' : `${DATABASE_SCHEMA}_bullmq`;

/** In front of the queues' keys: services of several schemas may share a Redis. */
const prefixOf = ({ DATABASE_SCHEMA }: Env): string =>
  DATABASE_SCHEMA === 'public' ? 'duka' : `duka-${DATABASE_SCHEMA}`;

const RECONNECT_MS = 500;
const POSTGRES_CONNECTIONS = 4;
const HOUR_SECONDS = 3_600;

/** What every worker of the service has. */
export const WORKER_OPTIONS = {
  // By default a worker rests for 15 s after each failed command.
  runRetryDelay: 1_000,
  // By default a job that two crashes hit is given up, whatever its attempts say; its row in our tables decides that.
  maxStalledCount: 100,
  // Of jobs whose own say was evicted: one that stayed would keep its id, and with it others from making it again.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} satisfies Partial<WorkerOptions>;

// BullMQ makes its connections of options by itself, but for clusters.
RedisConnection.clientFactory = ({ url, ...options }) => createIORedisClient(openRedis(url!, options));

/** Points BullMQ at Redis or at PostgreSQL: from here on nothing in the code knows which. */
export function queueOptions(env: Env): QueueOptions {
  if (env.REDIS_URL === undefined) setDefaultBackendFactory(postgresBackend);
  else setDefaultBackendFactory(redisBackend);
  return {
    // The type knows Redis only, though the factory above decides who reads the options.
    connection: (env.REDIS_URL === undefined ? postgres(env) : redis(env.REDIS_URL)) as QueueOptions['connection'],
    // The keys that a script names must be of one slot of a cluster.
    prefix: env.REDIS_URL !== undefined && isRedisCluster(env.REDIS_URL) ? `{${prefixOf(env)}}` : prefixOf(env),
    // By age: to keep a number of jobs, PostgreSQL would count them at each completion.
    defaultJobOptions: { removeOnComplete: { age: HOUR_SECONDS }, removeOnFail: { age: 7 * 24 * HOUR_SECONDS } },
  };
}

const postgres = (env: Env) => ({ ...clientConfig(env), schema: queueSchema(env), max: POSTGRES_CONNECTIONS });

/** What of BullMQ's connection must be set right. */
interface PostgresConnection {
  /** Who listens is a client of its own, whatever the pool's are. */
  pgModule: { readonly Client: unknown };
  readyPromise: Promise<void> | undefined;
  waitUntilReady(): Promise<void>;
}

/**
 * BullMQ keeps the outcome of its first connection for good: every command of a process that starts while PostgreSQL is
 * away would fail, at once and for ever, and its workers would do nothing but fail. So a failure is forgotten, and
 * takes time.
 */
const postgresBackend: BackendFactory = (name, options, settings) => {
  const backend = createPostgresBackend(name, options as Parameters<typeof createPostgresBackend>[1], settings);
  const { connection } = backend as unknown as { connection: PostgresConnection };
  connection.pgModule = { Client: PrimaryClient };
  const connect = connection.waitUntilReady.bind(connection);
  connection.waitUntilReady = async () => {
    try {
      await connect();
    } catch (error) {
      await sleep(RECONNECT_MS);
      connection.readyPromise = undefined;
      throw error;
    }
  };
  return backend;
};

/**
 * Commands of workers wait for Redis. BullMQ sends a command that failed at once again while other jobs are under way:
 * a worker whose commands fail without delay does nothing else any more, also when Redis is back, and eats up the
 * memory.
 */
const redisBackend: BackendFactory = (name, options, settings) => {
  const isWorker = settings?.withBlockingConnection === true;
  const connection = {
    ...options.connection,
    ...(isWorker && { enableOfflineQueue: true }),
  } as typeof options.connection;
  return createRedisBackend(name, { ...options, connection }, settings);
};

/** A command that cannot be sent fails at once: what it was about is in the database and is found again later. */
const redis = (url: string) => ({ url, enableOfflineQueue: false, retryStrategy: () => RECONNECT_MS });

// CREATE: BullMQ makes a sequence for the job ids of each queue when it is first used.
const grants = (schema: string): string => `
  GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${APPLICATION_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${APPLICATION_ROLE};
  GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${APPLICATION_ROLE};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${APPLICATION_ROLE}`;

/**
 * Brings BullMQ's tables up to date where PostgreSQL carries the queues. Runs as the login itself, any number of times.
 */
export async function migrateQueue(env: Env): Promise<void> {
  if (env.REDIS_URL !== undefined) return;
  await connected(clientConfig(env, 'owner'), async (client) => {
    await runMigrations(client, queueSchema(env));
    await client.query(grants(queueSchema(env)));
  });
}

import { createPostgresBackend, createRedisBackend, type QueueOptions, setDefaultBackendFactory, type WorkerOptions } from 'bullmq';
import type { Env } from '../config/env';
import { clientConfig } from '../database/options';

/** PostgreSQL schema of the queues where there is no Redis. */
export const QUEUE_SCHEMA = 'bullmq';

const RECONNECT_MS = 500;
const POSTGRES_CONNECTIONS = 4;
const HOUR_SECONDS = 3_600;

/** What every worker of the service has. */
export const WORKER_OPTIONS = {
  // By default a worker rests for 15 s after each failed command.
  runRetryDelay: 1_000,
  // By default a job that two crashes hit is given up, whatever its attempts say; its row in our tables decides that.
  maxStalledCount: 100,
} satisfies Partial<WorkerOptions>;

/** Points BullMQ at Redis or at PostgreSQL: from here on nothing in the code knows which. */
export function queueOptions(env: Env): QueueOptions {
  if (env.REDIS_URL === undefined) setDefaultBackendFactory(createPostgresBackend);
  else setDefaultBackendFactory(createRedisBackend);
  return {
    // The type knows Redis only, though the factory above decides who reads the options.
    connection: (env.REDIS_URL === undefined ? postgres(env) : redis(env.REDIS_URL)) as QueueOptions['connection'],
    prefix: 'duka',
    // By age: to keep a number of jobs, PostgreSQL would count them at each completion.
    defaultJobOptions: { removeOnComplete: { age: HOUR_SECONDS }, removeOnFail: { age: 7 * 24 * HOUR_SECONDS } },
  };
}

const postgres = (env: Env) => ({ ...clientConfig(env), schema: QUEUE_SCHEMA, max: POSTGRES_CONNECTIONS });

/** A command that cannot be sent fails at once: what it was about is in the database and is found again later. */
const redis = (url: string) => ({ url, enableOfflineQueue: false, retryStrategy: () => RECONNECT_MS });

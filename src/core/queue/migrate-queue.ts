import { runMigrations } from 'bullmq';
import { Client } from 'pg';
import type { Env } from '../config/env';
import { APPLICATION_ROLE, clientConfig } from '../database/options';
import { QUEUE_SCHEMA } from './queue-options';

// CREATE: BullMQ makes a sequence for the job ids of each queue when it is first used.
const GRANTS = `
  GRANT USAGE, CREATE ON SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
  GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${APPLICATION_ROLE};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${QUEUE_SCHEMA} GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${APPLICATION_ROLE}`;

/**
 * Brings BullMQ's tables up to date where PostgreSQL carries the queues. Runs as the login itself, any number of times.
 */
export async function migrateQueue(env: Env): Promise<void> {
  if (env.REDIS_URL !== undefined) return;
  const client = new Client(clientConfig(env, 'owner'));
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
    await client.query(GRANTS);
  } finally {
    await client.end();
  }
}

import type { ClientConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Env } from '../config/env';

/** The role of running processes: it has no right to change an entry or a table. */
export const APPLICATION_ROLE = 'duka_app';

/** Who connects: a running process as `app`, migrations and checks as `owner` (the login itself). */
export type DatabaseRole = 'app' | 'owner';

// A forgotten lock or an endless statement must end by itself and free what it holds.
const APP_SETTINGS = {
  role: APPLICATION_ROLE,
  lock_timeout: '5s',
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '10s',
};

/** Options of one `pg` connection. */
export function clientConfig(env: Env, role: DatabaseRole = 'app'): ClientConfig {
  const settings: Record<string, string> = role === 'app' ? APP_SETTINGS : { lock_timeout: '5s' };
  return {
    connectionString: env.DATABASE_URL,
    application_name: 'duka',
    connectionTimeoutMillis: 5_000,
    // An answer that is later than the server's own limits comes from a server that vanished without a word.
    query_timeout: role === 'app' ? 20_000 : undefined,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    options: Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`).join(' '),
  };
}

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Options of TypeORM, the same for the app, the command line and the tests. */
export function dataSourceOptions(env: Env, role: DatabaseRole = 'app'): PostgresOptions {
  const { connectionString, ...extra } = clientConfig(env, role);
  return {
    type: 'postgres',
    url: connectionString,
    poolSize: env.DATABASE_POOL_SIZE,
    extra,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'schema_migrations',
  };
}

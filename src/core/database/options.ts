import { createHmac } from 'node:crypto';
import { type DatabaseError, escapeIdentifier } from 'pg';
import type { DataSource, DataSourceOptions, QueryRunner } from 'typeorm';
import { changeDatabaseUrl, splitDatabaseUrl } from '../config/database-url';
import type { Env } from '../config/env';
import { BEHIND_POOLER, CannotStart } from '../errors/cannot-start';
import { connected, PrimaryClient, type PrimaryConfig } from './primary-client';

/** The role of running processes: it has no right to change an entry or a table. */
export const APPLICATION_ROLE = 'duka_app';

/**
 * Who connects: a running process as `app`, or as `reader`, who changes nothing and takes any time; migrations and
 * commands as `owner`, the login of `DATABASE_URL`.
 */
export type DatabaseRole = 'app' | 'reader' | 'owner';

// A forgotten lock or an endless statement must end by itself and free what it holds.
const APP_SETTINGS = {
  // Tells that the options arrived.
  'duka.session': 'on',
  role: APPLICATION_ROLE,
  lock_timeout: '5s',
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '10s',
  // Compiling a statement that reads ten rows of many partitions takes seconds, each time that it is run.
  jit: 'off',
};

const SETTINGS: Readonly<Record<DatabaseRole, Readonly<Record<string, string>>>> = {
  app: APP_SETTINGS,
  reader: { ...APP_SETTINGS, statement_timeout: '0', default_transaction_read_only: 'on' },
  owner: { lock_timeout: '5s' },
};

/**
 * The login of running processes: that of `DATABASE_APP_URL`, else one beside the owner's, whose password follows from
 * the owner's. `migrate` makes it. It owns nothing, so that there are no rights to ask back.
 */
function applicationUrl({
  DATABASE_APP_URL,
  DATABASE_URL,
}: Pick<Env, 'DATABASE_APP_URL' | 'DATABASE_URL'>): string | undefined {
  if (DATABASE_APP_URL !== undefined || DATABASE_URL === undefined) return DATABASE_APP_URL;
  return changeDatabaseUrl(DATABASE_URL, (url) => {
    const owner = url.searchParams.get('user') ?? decodeURIComponent(url.username);
    const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
    for (const param of ['user', 'password']) url.searchParams.delete(param);
    url.username = encodeURIComponent(`${APPLICATION_ROLE}_${owner || 'login'}`);
    // Where the owner needs no password, its neighbour needs none.
    url.password = password && createHmac('sha256', password).update('duka application login').digest('base64url');
  });
}

/** For the few commands that do what running processes may not: the owner's address in place of the application's. */
export function asOwner(env: Env): Env {
  const DATABASE_APP_URL = changeDatabaseUrl(env.DATABASE_URL!, ({ searchParams }) =>
    searchParams.set('options', `${searchParams.get('options') ?? ''} -c role=none`),
  );
  return Object.assign(Object.create(Object.getPrototypeOf(env) as object), env, { DATABASE_APP_URL }) as Env;
}

/** Where names are looked for. Temporary tables last: nothing of a session's own is taken for one of ours. */
const searchPath = ({ DATABASE_SCHEMA }: Env): string => `${DATABASE_SCHEMA},pg_temp`;

/**
 * A name of an advisory lock, as SQL: such locks are a database's, and ours are a schema's. In `public` they are called
 * as ever, for releases side by side.
 */
export const lockName = (name: string): string =>
  `CASE current_schema() WHEN 'public' THEN '' ELSE current_schema() || ' ' END || '${name}'`;

/** Options of a connection, and how its hottest statements are planned. */
export type PlannedConfig = PrimaryConfig & { readonly plans: Env['DATABASE_PLANS'] };

/** Options of one connection, which is a `PrimaryClient`, or of a pool of such. */
export function clientConfig(env: Env, role: DatabaseRole = 'app'): PlannedConfig {
  const { options, ...server } = withoutOptions(role === 'owner' ? env.DATABASE_URL : applicationUrl(env));
  return {
    ...server,
    Client: PrimaryClient as PrimaryConfig['Client'],
    application_name: 'duka',
    plans: env.DATABASE_PLANS,
    connectionTimeoutMillis: 5_000,
    // Later than the server's own limits.
    query_timeout: role === 'app' ? 20_000 : undefined,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    options: Object.entries({ ...SETTINGS[role], search_path: searchPath(env) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .concat(options)
      .join(' '),
  };
}

/** In an address `options` would count instead of ours, time-outs included; behind ours they count more, one by one. */
function withoutOptions(url: string | undefined) {
  if (url === undefined) return { connectionString: url, hosts: [], options: [] };
  const { address, hosts } = splitDatabaseUrl(url);
  if (!address.includes('options=')) return { connectionString: address, hosts, options: [] };
  const { searchParams } = new URL(address);
  const connectionString = changeDatabaseUrl(address, (without) => without.searchParams.delete('options'));
  return { connectionString, hosts, options: searchParams.getAll('options') };
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

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Sees to it that running processes can log in: makes the login, or gives it the password that stands in its address
 * now.
 */
export async function ensureApplicationLogin(env: Env, owner: QueryRunner): Promise<void> {
  if (await logsIn(env).catch(() => false)) return;
  const url = new URL(splitDatabaseUrl(applicationUrl(env)!).address);
  const name = decodeURIComponent(url.username);
  const [{ exists, login }] = await owner.query(
    `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS exists,
            format('ROLE %I LOGIN', $1::text)
              || CASE WHEN $2 = '' THEN '' ELSE format(' PASSWORD %L', $2::text) END AS login`,
    [name, decodeURIComponent(url.password)],
  );
  try {
    await owner.query(`${exists ? 'ALTER' : 'CREATE'} ${login}`);
    await owner.query(`GRANT ${APPLICATION_ROLE} TO ${escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { driverError?: DatabaseError }).driverError?.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new CannotStart(
      `Running processes cannot log in as ${name}, and the login of DATABASE_URL may not make it. Somebody who may ` +
        `must: CREATE ROLE … LOGIN PASSWORD '…' IN ROLE ${APPLICATION_ROLE}. Then set DATABASE_APP_URL.`,
    );
  }
  await logsIn(env);
}

const LOGIN_RIGHTS = `
  SELECT session_user AS login, current_setting('duka.session', true) IS DISTINCT FROM 'on' AS "lostOptions",
         current_user = $1
           AND has_table_privilege(session_user, 'ledger_entries', 'UPDATE, DELETE, TRUNCATE') AS "tooStrong"`;

/**
 * Throws `CannotStart` where connections have not the role and limits that they asked for. A role is as strong as the
 * login behind it: `RESET ROLE` leads there.
 */
export async function requireSession(dataSource: DataSource): Promise<void> {
  const [{ login, lostOptions, tooStrong }] = await dataSource.query(LOGIN_RIGHTS, [APPLICATION_ROLE]);
  if (lostOptions) throw new CannotStart(BEHIND_POOLER);
  if (tooStrong)
    throw new CannotStart(
      `The login ${login} of DATABASE_APP_URL may change entries: give it one that owns nothing, which npm run ` +
        'migrate makes.',
    );
}

const logsIn = (env: Env): Promise<boolean> => connected(clientConfig(env), async () => true);

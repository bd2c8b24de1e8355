import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { keepSecret } from '../secrets/secret-box';
import { CannotStart } from '../errors/cannot-start';
import {
  embeddedBinaries,
  ensureCluster,
  inspectServer,
  isServer,
  pidFile,
  serverSettings,
  serverUser,
  stopOrphans,
} from './embedded-cluster';
import { freePort } from '../process/ports';

export interface EmbeddedPostgresOptions {
  /** Keeps the cluster (`postgres/`), its log and its password. */
  dataDir: string;
  /** False gives up safety against power cuts for speed: for tests. */
  durable?: boolean;
  /** Others may follow it by logical replication. */
  isFollowed?: boolean;
  /** A free one by default. A server that runs already keeps its own. */
  port?: number;
}

export interface EmbeddedPostgres {
  /** Of the database `duka`, as the superuser. */
  url: string;
  pid: number;
  port: number;
}

const DATABASE = 'duka';
const ATTEMPTS = 6;
const READY_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 20;

/**
 * Brings up PostgreSQL 18 on `dataDir`, or finds the one that runs there already: the server outlives a killed parent,
 * and recovers when it was killed itself. Throws `CannotStart`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  const place = locate(options.dataDir);
  const password = keepSecret(place.passwordFile, randomBytes(24).toString('base64url'));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const running = inspectServer(place.cluster).state === 'running';
    const child = running ? null : await launch(place, password, options);
    const server = await untilReady(place.cluster, password, child).catch((error: unknown) => {
      child?.kill('SIGINT');
      throw error;
    });
    if (server) return server;
    // The server that ran was stopping, or processes of a killed one still hold its memory.
    await sleep(attempt * 100);
  }
  const lastWords = readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-3);
  throw new CannotStart(`PostgreSQL did not start. Its log (${place.log}) ends with:\n${lastWords.join('\n')}`);
}

/** The server that runs on `dataDir`, if one does. */
export function findEmbeddedPostgres(dataDir: string): EmbeddedPostgres | null {
  if (!existsSync(dataDir)) return null;
  const { cluster, passwordFile } = locate(dataDir);
  const found = inspectServer(cluster);
  if (found.state !== 'running') return null;
  return { url: urlOf(found.port, readFileSync(passwordFile, 'utf8').trim()), pid: found.pid, port: found.port };
}

/**
 * Stops the server of `dataDir` if it runs; one that does not finish its last checkpoint in time recovers at its next
 * start.
 */
export async function stopEmbeddedPostgres(dataDir: string, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  const server = findEmbeddedPostgres(dataDir);
  if (!server) return;
  const { cluster } = locate(dataDir);
  if (process.platform === 'win32') {
    spawnSync(embeddedBinaries().pgCtl, ['stop', '-D', cluster, '-m', mode, '-w']);
    return;
  }
  process.kill(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  const deadline = Date.now() + FAST_STOP_TIMEOUT_MS;
  while (isServer(server.pid, cluster)) {
    if (Date.now() > deadline) return mode === 'fast' ? stopEmbeddedPostgres(dataDir, 'immediate') : undefined;
    await sleep(POLL_MS);
  }
}

function locate(dataDir: string) {
  const root = realpathSync(dataDir);
  return {
    cluster: join(root, 'postgres'),
    log: join(root, 'postgres.log'),
    passwordFile: join(root, 'postgres.password'),
  };
}

type Place = ReturnType<typeof locate>;

async function launch(place: Place, password: string, options: EmbeddedPostgresOptions): Promise<ChildProcess> {
  const { postgres, initdb } = embeddedBinaries();
  const { durable = true, isFollowed, port = await freePort() } = options;
  const user = serverUser(place.cluster, postgres);
  ensureCluster(place.cluster, { initdb, user, password, durable });
  if (inspectServer(place.cluster).state === 'reused') rmSync(pidFile(place.cluster));
  stopOrphans(place.cluster);

  const [file, args, ids] = user.command(postgres, [
    '-D',
    place.cluster,
    '-p',
    String(port),
    ...serverSettings(durable, isFollowed),
  ]);
  const log = openSync(place.log, 'a', 0o600);
  // A process group of its own: Ctrl-C in the terminal must not stop the database before the API has drained.
  const child = spawn(file, args, { ...ids, cwd: '/', detached: true, stdio: ['ignore', log, log] });
  child.on('error', (error) => appendFileSync(place.log, `${error.message}\n`));
  closeSync(log);
  child.unref();
  return child;
}

/** Null when the server went away instead of getting ready. */
async function untilReady(
  cluster: string,
  password: string,
  child: ChildProcess | null,
): Promise<EmbeddedPostgres | null> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const found = inspectServer(cluster);
    if (found.state === 'running') {
      if (found.ready && (await ensureDatabase(found.port, password))) {
        return { url: urlOf(found.port, password), pid: found.pid, port: found.port };
      }
    } else if (!child?.pid || child.exitCode !== null || child.signalCode !== null) {
      return null;
    }
    await sleep(POLL_MS);
  }
  return null;
}

/** False while the server does not answer. */
async function ensureDatabase(port: number, password: string): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || TRANSIENT.includes(error.code ?? '')) return false;
    throw new CannotStart(
      `The embedded PostgreSQL (its password is kept in DATA_DIR/postgres.password) says: ${error.message}`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starting or stopping; a crash of its neighbours; another launcher making the same database at this moment. */
const TRANSIENT = ['57P01', '57P02', '57P03', '55006', '42P04', '23505'];

function urlOf(port: number, password: string, database = DATABASE): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

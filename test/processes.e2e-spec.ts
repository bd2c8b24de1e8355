import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from '../src/core/database/embedded-cluster';
import { freePort } from '../src/core/process/ports';
import { buildWhenStale, NODE_COMPILE_CACHE } from './support/command-line';
import { createTestDatabase, type TestDatabase } from './support/database';

const ROOT = join(__dirname, '..');

let database: TestDatabase;
let port: number;
let started: ChildProcess | null = null;
let output = '';

beforeAll(async () => {
  database = await createTestDatabase();
  buildWhenStale();
});

beforeEach(async () => (port = await freePort()));

afterEach(() => {
  for (const pid of started ? familyOf(started.pid!) : []) process.kill(pid, 'SIGKILL');
  started = null;
});

afterAll(() => database.drop());

const SECRETS_KEY = randomBytes(32).toString('base64');

function run(command: string, args: string[], more: Record<string, string> = {}): ChildProcess {
  const unset = { DATABASE_APP_URL: '', REDIS_URL: '', PUBLIC_URL: '', LOG_LEVEL: '' };
  const env = {
    ...unset,
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE,
    DATABASE_URL: database.url,
    SECRETS_KEY,
    PORT: String(port),
    WORKER_PORT: String(port),
    PLATFORM_PORT: String(port),
    SHUTDOWN_NOTICE_SECONDS: '0',
    ...more,
  };
  started = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  output = '';
  for (const stream of [started.stdout!, started.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return started;
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return [];
  }
}

const get = (path: string): Promise<Response | null> => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue()) return;
    await sleep(100);
  }
  throw new Error(`it did not happen; the process said: ${output}`);
}

const isReady = async (): Promise<boolean> => (await get('/readyz'))?.status === 200;

/** Others that wait for a lock. */
const WAITING = `
  SELECT count(*)::integer AS waiting FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;

describe.each(['start:api', 'start:worker', 'start:platform'])('npm run %s', (script) => {
  it('leaves no process behind when npm is ended, which the log says', async () => {
    const npm = run('npm', ['run', script]);
    await until(isReady);
    const family = familyOf(npm.pid!);
    expect(family.length).toBeGreaterThan(1);
    npm.kill('SIGTERM');
    await until(() => !family.some(isAlive));
    expect(output).toContain('the process that started this one is gone');
  });
});

it('the worker serves what watches a process, and nothing else', async () => {
  const worker = run(process.execPath, ['dist/src/worker.js']);
  await until(isReady);
  expect((await get('/healthz'))!.status).toBe(200);
  const metrics = await (await get('/metrics'))!.text();
  expect(metrics).toMatch(/^queue_jobs\{/m);
  expect(metrics).toMatch(/^process_cpu_seconds_total /m);
  for (const path of ['/v4/wallets', '/dashboard', '/docs', '/openapi.json', '/dashboard/api/me', '/nowhere']) {
    const answer = (await get(path))!;
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      expect.stringContaining('application/problem+json'),
    ]);
  }
  worker.kill('SIGTERM');
  await until(() => worker.exitCode !== null);
  expect(worker.exitCode).toBe(0);
});

it('npm start works on a server, with a key and without a data folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-server-'));
  const dataDir = join(folder, 'none', 'yet');
  const sandbox = run(process.execPath, ['dist/src/start.js'], { DATA_DIR: dataDir });
  await until(() => output.includes('sandbox is running') || sandbox.exitCode !== null);
  expect(output).toContain('sandbox is running');
  expect(JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))).toMatchObject({
    base_url: `http://127.0.0.1:${port}`,
  });
  sandbox.kill('SIGTERM');
  await until(() => sandbox.exitCode !== null);
  rmSync(folder, { recursive: true });
});

it('a migration that is interrupted does not say that all is well', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`SELECT pg_advisory_lock(hashtextextended('duka migrations', 0))`);
  const migration = run(process.execPath, ['dist/src/cli/migrate.js']);
  await until(async () => (await client.query(WAITING)).rows[0].waiting > 0);
  migration.kill('SIGTERM');
  await until(() => migration.exitCode !== null);
  await client.end();
  expect(migration.exitCode).toBe(143);
});

it('a command says on which database it worked, and no password', () => {
  const url = new URL(database.url);
  const address = `${url.hostname}:${url.port}${url.pathname}`;
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url, SECRETS_KEY };
  const text = spawnSync(process.execPath, ['dist/src/cli/duka.js', 'verify:ledger'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(text.stderr).toContain(`Database ${address}`);
  const json = spawnSync(process.execPath, ['dist/src/cli/duka.js', 'verify:ledger', '--json'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, database: address });
  for (const { stdout, stderr } of [text, json]) expect(stdout + stderr).not.toContain(url.password);
});

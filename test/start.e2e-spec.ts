import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findEmbeddedPostgres, stopEmbeddedPostgres } from '../src/core/database/embedded-postgres';

const ROOT = join(__dirname, '..');

interface Sandbox {
  base_url: string;
  account_id: string;
  test_key: string;
  wallets: { id: string; currency: string }[];
}

describe('npm start', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'duka-start-'));
  const file = join(dataDir, 'sandbox.json');
  const running = new Set<ChildProcess>();
  let first: Sandbox;

  beforeAll(() => {
    const build = spawnSync(process.execPath, ['scripts/build-when-stale.mjs'], { cwd: ROOT, encoding: 'utf8' });
    if (build.status !== 0) throw new Error(build.stdout + build.stderr);
  });

  afterAll(async () => {
    for (const launcher of running) launcher.kill('SIGKILL');
    await stopEmbeddedPostgres(dataDir, 'immediate');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('brings everything up and tells where it is', async () => {
    const launcher = launch();
    const told = await outputUntil(launcher, 'sandbox is running');
    first = readSandbox();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(first)).toEqual(['base_url', 'account_id', 'test_key', 'wallets']);
    expect(told).toContain(first.base_url);
    expect(told).toContain(first.test_key);
    expect((await fetch(`${first.base_url}/readyz`)).status).toBe(200);
    expect(await loginsOf(dataDir)).toEqual(['duka_app_postgres']);
    expect(await end(launcher, 'SIGTERM')).toBe(0);
    expect(findEmbeddedPostgres(dataDir)).toBeNull();
  });

  test('keeps account, wallets and key, also over a killed launcher', async () => {
    const killed = launch();
    await outputUntil(killed, 'sandbox is running');
    await end(killed, 'SIGKILL');
    expect(findEmbeddedPostgres(dataDir)).not.toBeNull();

    const launcher = launch();
    await outputUntil(launcher, 'sandbox is running');
    expect({ ...readSandbox(), base_url: null }).toEqual({ ...first, base_url: null });
    expect((await fetch(`${readSandbox().base_url}/readyz`)).status).toBe(200);

    const second = launch();
    expect(await outputUntil(second, 'choose another with DATA_DIR')).toContain('already runs');
    expect(await exitCode(second)).toBe(1);
    expect(await end(launcher, 'SIGINT')).toBe(0);
  });

  test('says which port is taken and how to choose another', async () => {
    const taker = createServer().listen(0, '127.0.0.1');
    await once(taker, 'listening');
    const { port } = taker.address() as AddressInfo;
    const launcher = launch(port);
    expect(await outputUntil(launcher, 'PORT=4000 npm start')).toContain(`Port ${port} is taken`);
    expect(await exitCode(launcher)).toBe(1);
    expect(findEmbeddedPostgres(dataDir)).toBeNull();
    taker.close();
  });

  function launch(port = 0): ChildProcess {
    // Set, if to nothing: a developer's .env must not lead elsewhere.
    const unset = { DATABASE_URL: '', REDIS_URL: '', PUBLIC_URL: '' };
    const env = { ...unset, PATH: process.env.PATH, HOST: '127.0.0.1', DATA_DIR: dataDir, PORT: String(port) };
    const launcher = spawn(process.execPath, ['dist/src/start.js'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(launcher);
    launcher.once('exit', () => running.delete(launcher));
    return launcher;
  }

  function readSandbox(): Sandbox {
    return JSON.parse(readFileSync(file, 'utf8')) as Sandbox;
  }
});

/** With which the service is logged in at its embedded server. */
async function loginsOf(dataDir: string): Promise<string[]> {
  const superuser = new Client({ connectionString: findEmbeddedPostgres(dataDir)!.url });
  await superuser.connect();
  const { rows } = await superuser.query(
    `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'duka'`,
  );
  await superuser.end();
  return rows.map(({ usename }) => usename);
}

/** Everything printed until `text`, or until the end of a process that never prints it. */
async function outputUntil({ stdout, stderr }: ChildProcess, text: string): Promise<string> {
  let output = '';
  return new Promise((resolve) => {
    for (const stream of [stdout!, stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(text)) resolve(output);
      });
      stream.once('close', () => resolve(output));
    }
  });
}

async function exitCode(launcher: ChildProcess): Promise<number | null> {
  if (launcher.exitCode === null && launcher.signalCode === null) await once(launcher, 'exit');
  return launcher.exitCode;
}

async function end(launcher: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  launcher.kill(signal);
  return exitCode(launcher);
}

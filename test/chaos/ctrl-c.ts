import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/core/database/embedded-postgres';
import type { Lifetime } from '../../src/core/process/lifetime';
import { membersOf } from './process-table';

const ROOT = join(__dirname, '../..');
const END_MAX_MS = 15_000;
const POLL_MS = 50;

/** Ends `npm start` in each way in which people do, and returns what was left behind. */
export async function leaveSandbox(lifetime: Lifetime): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'duka-chaos-start-'));
  chmodSync(dataDir, 0o711);
  const launched = new Set<number>();
  await lifetime.own(Promise.resolve(), async () => {
    for (const group of launched) for (const pid of membersOf(group)) process.kill(pid, 'SIGKILL');
    await stopEmbeddedPostgres(dataDir, 'immediate');
    rmSync(dataDir, { recursive: true, force: true });
  });
  const ways = {
    'Ctrl-C in its terminal': (pid: number) => process.kill(-pid, 'SIGINT'),
    'SIGTERM to npm': (pid: number) => process.kill(pid, 'SIGTERM'),
    'SIGKILL of npm': (pid: number) => process.kill(pid, 'SIGKILL'),
  };
  const wrong: string[] = [];
  for (const [name, strike] of Object.entries(ways)) {
    const npm = await launch(dataDir, launched);
    strike(npm.pid!);
    const since = performance.now();
    const left = await untilGone(npm.pid!, dataDir);
    const fate =
      left.length > 0 ? `leaves behind ${left.join(', ')}` : `all gone in ${Math.round(performance.now() - since)} ms`;
    console.log(`npm start, ${name}`.padEnd(36) + fate);
    if (left.length > 0) wrong.push(`npm start, ${name}: ${fate}`);
  }
  return wrong;
}

/** A process group of its own, as a shell gives to what is typed into it. */
async function launch(dataDir: string, launched: Set<number>): Promise<ChildProcess> {
  const unset = { DATABASE_URL: '', REDIS_URL: '', PUBLIC_URL: '', SECRETS_KEY: '' };
  const env = { ...unset, PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' };
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  launched.add(npm.pid!);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  for (; !output.includes('sandbox is running'); await sleep(POLL_MS)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}:\n${output}`);
  }
  return npm;
}

async function untilGone(group: number, dataDir: string): Promise<string[]> {
  for (const deadline = performance.now() + END_MAX_MS; ; await sleep(POLL_MS)) {
    const left = [
      ...membersOf(group).map((pid) => `process ${pid}`),
      ...(findEmbeddedPostgres(dataDir) ? ['PostgreSQL'] : []),
    ];
    if (left.length === 0 || performance.now() > deadline) return left;
  }
}

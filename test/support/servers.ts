import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from '../../src/migrations/migrations';
import { Env } from '../../src/core/config/env';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/core/database/embedded-postgres';
import { isAlive } from '../../src/core/database/embedded-cluster';
import { startRedis } from './redis-server';

const PREFIX = 'duka-test-';

/** One PostgreSQL and, where there is one, one Redis for the whole run; jest's workers inherit their addresses. */
export async function startServers(): Promise<void> {
  const dataDir = folderOf(process.pid);
  mkdirSync(dataDir, { mode: 0o711 });
  const { url } = await startEmbeddedPostgres({ dataDir, durable: false });
  await runMigrations(Object.assign(new Env(), { DATABASE_URL: url }));
  process.env.DUKA_TEST_POSTGRES = url;
  process.env.DUKA_TEST_REDIS = process.env.REDIS_URL ?? (await startRedis()) ?? '';
}

export async function stopServers(pid = process.pid): Promise<void> {
  await stopEmbeddedPostgres(folderOf(pid), 'immediate');
  rmSync(folderOf(pid), { recursive: true, force: true });
}

/** A killed run leaves its PostgreSQL behind. */
export async function stopAbandonedServers(): Promise<void> {
  const pids = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => Number(name.slice(PREFIX.length)));
  for (const pid of pids.filter((pid) => pid === process.pid || !isAlive(pid))) await stopServers(pid);
}

function folderOf(pid: number): string {
  return join(tmpdir(), `${PREFIX}${pid}`);
}

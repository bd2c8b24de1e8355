import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { EmbeddedLease } from '../src/core/database/embedded-lease';
import { findEmbeddedPostgres, stopEmbeddedPostgres } from '../src/core/database/embedded-postgres';

describe('lease of the embedded PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'duka-lease-'));
  let lease: EmbeddedLease;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    lease = await EmbeddedLease.take({ dataDir, durable: false });
  });

  afterAll(async () => {
    await stopEmbeddedPostgres(dataDir, 'immediate');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('refuses a second launcher and leaves the first one its server', async () => {
    await expect(EmbeddedLease.take({ dataDir })).rejects.toThrow(`already runs on the data folder ${dataDir}`);
    expect(await isLeased(lease.url)).toBe(true);
  });

  test('starts a server that was killed again, under the same address', async () => {
    process.kill(findEmbeddedPostgres(dataDir)!.pid, 'SIGKILL');
    // A server that answers is not ours yet: a third launcher could be faster in that moment.
    while (!(await isLeased(lease.url))) await sleep(20);
    await expect(EmbeddedLease.take({ dataDir })).rejects.toThrow('already runs');
  });

  test('leaves no server behind', async () => {
    await lease.release();
    expect(findEmbeddedPostgres(dataDir)).toBeNull();
  });
});

async function isLeased(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted`)).rowCount === 1;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

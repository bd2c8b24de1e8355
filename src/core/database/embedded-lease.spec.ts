import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { EmbeddedLease } from './embedded-lease';
import { findEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres';

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
    expect(await answers(lease.url)).toBe(true);
  });

  test('starts a server that was killed again, under the same address', async () => {
    process.kill(findEmbeddedPostgres(dataDir)!.pid, 'SIGKILL');
    while (!(await answers(lease.url))) await sleep(20);
    await expect(EmbeddedLease.take({ dataDir })).rejects.toThrow('already runs');
  });

  test('leaves no server behind', async () => {
    await lease.release();
    expect(findEmbeddedPostgres(dataDir)).toBeNull();
  });
});

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(() => client.end())
    .then(() => true, () => false);
}

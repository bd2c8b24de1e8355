import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { sharedBuffersMb } from '../src/core/database/embedded-cluster';
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '../src/core/database/embedded-postgres';

describe('embedded PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'duka-embedded-'));
  const start = () => startEmbeddedPostgres({ dataDir });

  afterAll(async () => {
    await stopEmbeddedPostgres(dataDir, 'immediate');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('starts with a password of its own, which nobody else may read', async () => {
    const { url } = await start();
    await query(url, 'CREATE TABLE notes AS SELECT 1 AS id');
    const file = join(dataDir, 'postgres.password');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new URL(url).password).toBe(readFileSync(file, 'utf8').trim());
  });

  test('is durable and listens on the loopback address only', async () => {
    const { url } = await start();
    expect(await query(url, `SELECT current_setting('fsync') AS value`)).toEqual([{ value: 'on' }]);
    expect(await query(url, `SELECT current_setting('synchronous_commit') AS value`)).toEqual([{ value: 'on' }]);
    expect(await query(url, `SELECT current_setting('listen_addresses') AS value`)).toEqual([{ value: '127.0.0.1' }]);
  });

  test('has the settings that docs/scaling.md tells of', async () => {
    const told = {
      autovacuum_max_workers: '6',
      autovacuum_naptime: '20s',
      autovacuum_vacuum_insert_scale_factor: '0',
      autovacuum_vacuum_insert_threshold: '100000',
      bgwriter_lru_maxpages: '1000',
      max_wal_size: '16GB',
    };
    const { url } = await start();
    const settings = (await query(url, 'SHOW ALL')) as { name: string; setting: string }[];
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject(told);
    const pages = `SELECT setting::int / 128 AS mb FROM pg_settings WHERE name = 'shared_buffers'`;
    expect(await query(url, pages)).toEqual([{ mb: sharedBuffersMb() }]);
  });

  test.each([
    [256, 128],
    [1_024, 128],
    [4_096, 512],
    [16_384, 2_048],
    [65_536, 4_096],
  ])('keeps of %i MB of memory %i MB for pages', (mb, kept) => {
    expect(sharedBuffersMb(mb * 2 ** 20)).toBe(kept);
  });

  test('a second start finds the running server', async () => {
    const first = await start();
    expect(await start()).toEqual(first);
  });

  test('keeps its data over a stop', async () => {
    await start();
    await stopEmbeddedPostgres(dataDir);
    expect(findEmbeddedPostgres(dataDir)).toBeNull();
    expect(await notes()).toEqual([{ id: 1 }]);
  });

  test('recovers when the server was killed while a client was busy', async () => {
    const { pid, url } = await start();
    const busy = query(url, `SELECT count(*) FROM generate_series(1, 1000000000)`).catch(() => 'cut off');
    await untilBusy(url);
    process.kill(pid, 'SIGKILL');
    expect(await notes()).toEqual([{ id: 1 }]);
    expect(await busy).toBe('cut off');
  });

  test('starts although a pid file names a process of somebody else', async () => {
    await stopEmbeddedPostgres(dataDir);
    const stranger = spawn('sleep', ['60']);
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid}\n${join(dataDir, 'postgres')}\n0\n5432\n`,
    );
    expect(await notes()).toEqual([{ id: 1 }]);
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });

  test('launchers that start at the same moment share one server', async () => {
    await stopEmbeddedPostgres(dataDir);
    const [one, other] = await Promise.all([start(), start()]);
    expect(one).toEqual(other);
  });

  test('says what is wrong when the server refuses', async () => {
    await stopEmbeddedPostgres(dataDir);
    const control = join(dataDir, 'postgres', 'global', 'pg_control');
    rmSync(control);
    await expect(start()).rejects.toThrow(/could not open file .*pg_control/);
  });

  async function notes() {
    const { url } = await start();
    return query(url, 'SELECT id FROM notes');
  }
});

async function untilBusy(url: string): Promise<void> {
  const busy = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' AND pid <> pg_backend_pid()`;
  while ((await query(url, busy)).length === 0);
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

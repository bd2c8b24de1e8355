import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Env } from '../src/core/config/env';
import { dataSourceOptions } from '../src/core/database/options';
import { TEAMS } from '../src/extensions/extensions.module';
import { allMigrations, runMigrations } from '../src/migrations/migrations';
import { addIndex, constrain, inPieces } from '../src/migrations/online';
import { createTestDatabase, type TestDatabase } from './support/database';
import { until } from './support/recurring-probe';

const ROOT = join(__dirname, '..');
/** From the next on, migrations are run on large databases at work: see docs/migrations.md. */
const BEFORE_ROWS = 19;
/** The last one before there was a release: from the next on, processes of the version before run on meanwhile. */
const BEFORE_ANYBODY = 97;
/** What takes something from the version before. */
const TAKING = ['ban-drop-column', 'ban-drop-not-null', 'ban-drop-table', 'renaming-column', 'renaming-table'];
/** Lists that people keep, quotes of a minute, rates: few rows, changed as it was simplest. */
const OF_SMALL_TABLES = [69, 70];
/** PostgreSQL cannot drop an index of a partitioned table concurrently. It takes a moment, or gives up after 0.8 s. */
const INDEX_OF_PARTITIONS_DROPPED = [112, 121];

interface Finding {
  readonly file: string;
  readonly rule_name: string;
  readonly message: string;
}

/** What squawk says against statements of migrations, each in a transaction or none of them, by their numbers. */
function lint(migrations: ReadonlyMap<number, readonly string[]>, inTransaction = true): string[] {
  // `runMigrations` sets the time limits; seconds and counts are integers.
  const exclude = '--exclude=require-lock-timeout,require-statement-timeout,prefer-robust-stmts,prefer-bigint-over-int';
  const folder = mkdtempSync(join(tmpdir(), 'duka-migrations-'));
  for (const [number, statements] of migrations) {
    // An index of a partitioned table alone is one of no rows.
    const counted = statements.filter((statement) => !/ ON ONLY /.test(statement));
    writeFileSync(join(folder, String(number)), counted.map((one) => `${one.replace(/;\s*$/, '')};`).join('\n'));
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/squawk-cli/js/bin/squawk'),
      '--reporter=json',
      '--pg-version=15',
      ...(inTransaction ? ['--assume-in-transaction'] : []),
      exclude,
      ...Array.from(migrations.keys(), (number) => join(folder, String(number))),
    ],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  return (JSON.parse(stdout || '[]') as Finding[]).map(
    ({ file, rule_name, message }) => `${basename(file)} ${rule_name}: ${message}`,
  );
}

describe('a migration of a service at work', () => {
  let database: TestDatabase;
  let fresh: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    fresh = await createTestDatabase('template1');
  });
  afterAll(() => Promise.all([database.drop(), fresh.drop()]));

  it.each([
    ['constraint-missing-not-valid', `ALTER TABLE wallets ADD CONSTRAINT a CHECK (label <> '')`],
    ['require-concurrent-index-creation', 'CREATE INDEX a ON wallets (label)'],
    ['ban-drop-column', 'ALTER TABLE wallets DROP COLUMN label'],
    ['renaming-column', 'ALTER TABLE wallets RENAME COLUMN label TO name'],
    ['renaming-table', 'ALTER TABLE wallets RENAME TO purses'],
    ['changing-column-type', 'ALTER TABLE wallets ALTER COLUMN label TYPE varchar(9)'],
    ['adding-not-nullable-field', 'ALTER TABLE wallets ALTER COLUMN label SET NOT NULL'],
    ['adding-required-field', 'ALTER TABLE wallets ADD COLUMN a text NOT NULL'],
    ['ban-drop-table', 'DROP TABLE wallets'],
  ])('is told of %s', (rule, statement) => {
    expect(lint(new Map([[1, [statement]]]))).toContainEqual(expect.stringMatching(new RegExp(`^1 ${rule}:`)));
  });

  it('locks no table for long and takes nothing from the version before', async () => {
    const sent: string[] = [];
    const logger = { logQuery: (query: string) => void sent.push(query) } as unknown as Logger;
    const env = Object.assign(new Env(), { DATABASE_URL: fresh.url });
    const dataSource = await new DataSource({ ...dataSourceOptions(env, 'owner'), logger, logging: true }).initialize();
    const db = dataSource.createQueryRunner();
    const all = allMigrations().map((migration) => ({
      number: Number(migration.name.slice(-4)),
      instance: new (migration as new () => MigrationInterface)(),
    }));
    const [within, without] = [new Map<number, string[]>(), new Map<number, string[]>()];
    for (const { number, instance } of all) {
      sent.length = 0;
      await instance.up(db);
      const changes = sent.filter((query) => !/^\s*SELECT\b/i.test(query));
      if (number > BEFORE_ROWS) (instance.transaction === false ? without : within).set(number, changes);
    }
    for (const { number, instance } of all.toReversed()) if (number > BEFORE_ANYBODY) await instance.down(db);
    await db.release();
    await dataSource.destroy();
    const findings = [...lint(within), ...lint(without, false)].filter((finding) => {
      const [number, rule] = finding.split(/[ :]/) as [string, string];
      if (rule === 'require-concurrent-index-deletion' && INDEX_OF_PARTITIONS_DROPPED.includes(Number(number)))
        return false;
      return Number(number) > BEFORE_ANYBODY || !(TAKING.includes(rule) || OF_SMALL_TABLES.includes(Number(number)));
    });
    expect(findings).toEqual([]);
  });

  it('goes on where it was killed: what is half there is made anew', async () => {
    const env = Object.assign(new Env(), { DATABASE_URL: database.url });
    const dataSource = await new DataSource(dataSourceOptions(env, 'owner')).initialize();
    const db = dataSource.createQueryRunner();
    try {
      const [{ partition }] = await db.query(
        `SELECT inhrelid::regclass::text AS partition FROM pg_inherits WHERE inhparent = 'events'::regclass LIMIT 1`,
      );
      await db.query(`CREATE INDEX ${partition}_of_a_test ON ${partition} (type)`);
      // As a process leaves it that is killed while it builds one.
      await db.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${partition}_of_a_test'::regclass`);
      await db.query(`CREATE INDEX events_of_a_test ON ONLY events (type)`);
      await db.query(`ALTER TABLE events ADD CONSTRAINT events_of_a_test CHECK (type <> '') NOT VALID`);
      for (const _again of [1, 2]) {
        await addIndex(db, 'events_of_a_test', 'events', '(type)');
        await constrain(db, 'events', { events_of_a_test: `type <> ''` });
      }
      const found = await db.query(`
        SELECT (SELECT count(*)::integer FROM pg_index WHERE NOT indisvalid) AS invalid, indisvalid AS whole,
               (SELECT convalidated FROM pg_constraint WHERE conname = 'events_of_a_test' AND conrelid = indrelid) AS proven
          FROM pg_index WHERE indexrelid = 'events_of_a_test'::regclass`);
      expect(found).toEqual([{ invalid: 0, whole: true, proven: true }]);
      await expect(db.query('SHOW lock_timeout')).resolves.toEqual([{ lock_timeout: '5s' }]);
    } finally {
      await db.release();
      await dataSource.destroy();
    }
  });

  it('that was ended while it waited says so, and leaves nothing open', async () => {
    const env = Object.assign(new Env(), { DATABASE_URL: database.url });
    const dataSource = await new DataSource(dataSourceOptions(env, 'owner')).initialize();
    const db = dataSource.createQueryRunner();
    const builder = new Client({ connectionString: database.url });
    await builder.connect();
    try {
      await builder.query('BEGIN; LOCK TABLE payments IN SHARE UPDATE EXCLUSIVE MODE');
      const ended = addIndex(db, 'payments_of_a_test', 'payments', '(status)').catch((error: unknown) => error);
      const end = `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'payments'::regclass`;
      await until(async () => (await builder.query(end)).rows.length > 0);
      await expect(ended).resolves.toMatchObject({ code: '57014' });
      await builder.query('COMMIT');
      await expect(db.query('SHOW lock_timeout')).resolves.toEqual([{ lock_timeout: '5s' }]);
      await addIndex(db, 'payments_of_a_test', 'payments', '(status)');
      await db.query('DROP INDEX payments_of_a_test');
    } finally {
      await builder.end();
      await db.release();
      await dataSource.destroy();
    }
  });

  it('changes rows in pieces, each once', async () => {
    const env = Object.assign(new Env(), { DATABASE_URL: database.url });
    const dataSource = await new DataSource(dataSourceOptions(env, 'owner')).initialize();
    const db = dataSource.createQueryRunner();
    try {
      await db.query(`CREATE TABLE piles (n integer, text text)`);
      await db.query(`INSERT INTO piles SELECT n, repeat('x', 1000) FROM generate_series(1, 5000) n`);
      await inPieces(db, 'piles', 'UPDATE piles SET n = -n WHERE n > 0');
      expect(await db.query('SELECT max(n), count(*)::integer FROM piles')).toEqual([{ max: -1, count: 5000 }]);
    } finally {
      await db.query('DROP TABLE piles');
      await db.release();
      await dataSource.destroy();
    }
  });

  it('lets those pass who wait behind it, and comes again', async () => {
    class Labels1763000009999 implements MigrationInterface {
      up(db: QueryRunner): Promise<unknown> {
        return db.query('ALTER TABLE wallets ADD COLUMN label_of_a_test text');
      }
      down(db: QueryRunner): Promise<unknown> {
        return db.query('ALTER TABLE wallets DROP COLUMN label_of_a_test');
      }
    }
    const team = { name: 'labels', migrations: [Labels1763000009999] } as unknown as (typeof TEAMS)[number];
    const [reader, other] = [
      new Client({ connectionString: database.url }),
      new Client({ connectionString: database.url }),
    ];
    await Promise.all([reader.connect(), other.connect()]);
    TEAMS.push(team);
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT count(*) FROM wallets');
      const migrated = runMigrations(Object.assign(new Env(), { DATABASE_URL: database.url }));
      const waits = `SELECT count(*)::int AS n FROM pg_locks l WHERE NOT granted AND relation = 'wallets'::regclass`;
      await until(async () => (await reader.query<{ n: number }>(waits)).rows[0]!.n > 0, 60);
      // Stands behind the migration, which stands behind the reader; passes although the reader never ends.
      await other.query(`SET statement_timeout = '5s'`);
      await other.query('SELECT count(*) FROM wallets');
      await reader.query('COMMIT');
      await expect(migrated).resolves.toEqual(['Labels1763000009999']);
      await other.query('SELECT label_of_a_test FROM wallets');
    } finally {
      TEAMS.splice(TEAMS.indexOf(team), 1);
      await Promise.all([reader.end(), other.end()]);
    }
  });
});

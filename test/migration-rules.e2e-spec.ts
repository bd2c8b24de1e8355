import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Env } from '../src/core/config/env';
import { dataSourceOptions } from '../src/core/database/options';
import { TEAMS } from '../src/extensions/extensions.module';
import { allMigrations, runMigrations } from '../src/migrations/migrations';
import { createTestDatabase, type TestDatabase } from './support/database';
import { until } from './support/recurring-probe';

const ROOT = join(__dirname, '..');
/** The last one before anybody had data: from the next on, a migration meets a service at work. */
const BEFORE_ANYBODY = 97;

interface Finding {
  readonly rule_name: string;
  readonly message: string;
}

/** What squawk says against statements of one transaction. */
function lint(statements: readonly string[], inTransaction = true): string[] {
  // `runMigrations` sets the time limits; seconds and counts are integers.
  const exclude = '--exclude=require-lock-timeout,require-statement-timeout,prefer-robust-stmts,prefer-bigint-over-int';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/squawk-cli/js/bin/squawk'),
      '--reporter=json',
      '--pg-version=15',
      ...(inTransaction ? ['--assume-in-transaction'] : []),
      exclude,
    ],
    { input: statements.map((statement) => `${statement.replace(/;\s*$/, '')};`).join('\n'), encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return (JSON.parse(stdout || '[]') as Finding[]).map(({ rule_name, message }) => `${rule_name}: ${message}`);
}

describe('a migration of a service at work', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

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
    expect(lint([statement])).toContainEqual(expect.stringMatching(new RegExp(`^${rule}:`)));
  });

  it('locks no table for long and takes nothing from the version before', async () => {
    const migrations = allMigrations().filter((migration) => Number(migration.name.slice(-4)) > BEFORE_ANYBODY);
    for (const migration of migrations) expect(await findingsOf(migration)).toEqual([]);
  });

  /** About what its `up` sends: in a database that has it, undone and done again. */
  async function findingsOf(migration: Function): Promise<string[]> {
    const sent: string[] = [];
    const logger = { logQuery: (query: string) => void sent.push(query) } as unknown as Logger;
    const env = Object.assign(new Env(), { DATABASE_URL: database.url });
    const dataSource = await new DataSource({ ...dataSourceOptions(env, 'owner'), logger, logging: true }).initialize();
    try {
      const db = dataSource.createQueryRunner();
      const instance = new (migration as new () => MigrationInterface)();
      await instance.down(db);
      sent.length = 0;
      await instance.up(db);
      await db.release();
      const changes = sent.filter((query) => !/^\s*SELECT\b/i.test(query));
      return lint(changes, instance.transaction !== false).map((finding) => `${migration.name}: ${finding}`);
    } finally {
      await dataSource.destroy();
    }
  }

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

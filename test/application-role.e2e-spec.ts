import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module';
import { runMigrations } from '../src/migrations/migrations';
import { Env } from '../src/core/config/env';
import { createHttpApp } from '../src/core/http/configure-http';
import { BEHIND_POOLER, CannotStart } from '../src/core/errors/cannot-start';
import { Duka } from './support/duka';
import { Pooler } from './support/pooler';
import { describeWith } from './support/programs';

const FORBIDDEN: readonly (readonly [what: string, statement: string])[] = [
  ['remove an entry', 'DELETE FROM ledger_entries'],
  ['change an entry', 'UPDATE ledger_entries SET amount = amount'],
  ['change an event', 'UPDATE events SET type = type'],
  ['change a closed day', 'UPDATE wallet_days SET closing = closing'],
  ['remove a closed day', 'DELETE FROM wallet_days'],
  ['change a digest', `UPDATE ledger_batches SET digest = ''`],
  ['empty a table', 'TRUNCATE claims'],
  ['alter a table', 'ALTER TABLE wallets ADD COLUMN spare text'],
  ['drop a table', 'DROP TABLE wallets'],
  ['open live mode', 'UPDATE accounts SET live_enabled = true'],
  [
    'open an account in live mode',
    `INSERT INTO accounts (id, name, live_enabled) VALUES (gen_random_uuid(), 'x', true)`,
  ],
  ['give an account other fees', `UPDATE accounts SET tier = 'free'`],
  ['make somebody an operator', 'UPDATE users SET operator = true'],
  [
    'add an operator',
    `INSERT INTO users (id, email, name, password_hash, operator) VALUES (gen_random_uuid(), 'x', 'x', 'x', true)`,
  ],
  ['lend to a wallet', 'UPDATE ledger_accounts SET credit_limit = 1'],
  ['let a frozen account go', 'UPDATE ledger_accounts SET account_freeze = NULL'],
  ['make fees those of another tier', `UPDATE fees SET tier = 'free'`],
];

/** What injected SQL would try first. */
const WAYS_BACK = [
  'RESET ROLE',
  'RESET SESSION AUTHORIZATION',
  'SET ROLE postgres',
  'SET SESSION AUTHORIZATION postgres',
];

describe('the role of running processes', () => {
  let duka: Duka;
  let owner: Client;

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true });
    await duka.account();
    owner = new Client({ connectionString: duka.env.DATABASE_URL, application_name: 'test' });
    await owner.connect();
  });

  afterAll(async () => {
    await owner.end();
    await duka.stop();
  });

  it.each(FORBIDDEN)('cannot %s, however it asks for its rights back', async (_, statement) => {
    const runner = duka.app.get(DataSource).createQueryRunner();
    try {
      for (const way of ['SELECT 1', ...WAYS_BACK]) {
        await runner.query(way).catch(() => undefined);
        await expect(runner.query(statement)).rejects.toThrow(/permission denied|must be owner/);
      }
    } finally {
      await runner.query('SET ROLE duka_app');
      await runner.release();
    }
  });

  it('has every connection: pool, reads, ledger, webhooks, queues', async () => {
    const { rows } = await owner.query(
      `SELECT usename, count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'duka' GROUP BY 1`,
    );
    expect(rows).toEqual([{ usename: 'duka_app_postgres', connections: expect.any(Number) }]);
    expect(rows[0].connections).toBeGreaterThan(4);
  });

  it('has a login that owns nothing', async () => {
    const { rows } = await owner.query(
      `SELECT relname FROM pg_class WHERE relowner = 'duka_app_postgres'::regrole UNION ALL SELECT datname FROM pg_database WHERE datdba = 'duka_app_postgres'::regrole`,
    );
    expect(rows).toEqual([]);
  });

  it('is not served by a process whose login may do more', async () => {
    const app = await createHttpApp(
      AppModule.register({ ...duka.env, DATABASE_APP_URL: duka.env.DATABASE_URL }),
      duka.env,
    );
    await expect(app.init()).rejects.toThrow('The login postgres of DATABASE_APP_URL may change entries');
    await app.close();
  });

  describeWith(['pgbouncer'], 'behind a pooler', () => {
    const start = async (url: string) => {
      const app = await createHttpApp(AppModule.register({ ...duka.env, DATABASE_APP_URL: url }), duka.env);
      try {
        return await app.init();
      } finally {
        await app.close();
      }
    };

    it.each([
      ['that refuses start-up options', '', 'session', 'unsupported startup parameter: options'],
      ['that drops them', 'options', 'session', BEHIND_POOLER],
      ['of transactions', 'options', 'transaction', BEHIND_POOLER],
    ])('%s nothing starts, and the reason is told', async (_, ignored, mode, reason) => {
      const pooler = await Pooler.start(
        duka.env.DATABASE_URL!,
        `pool_mode=${mode}`,
        `ignore_startup_parameters=${ignored}`,
      );
      try {
        const error = await start(pooler.url).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ message: reason });
        expect(CannotStart.of(error)).toMatchObject({ message: BEHIND_POOLER });
      } finally {
        await pooler.end();
      }
    });
  });

  it('is given to the login of DATABASE_APP_URL by migrate, with the password that stands there now', async () => {
    const name = `duka_test_${randomBytes(4).toString('hex')}`;
    const addressed = (password: string): string => {
      const url = new URL(duka.env.DATABASE_URL!);
      return Object.assign(url, { username: name, password }).href;
    };
    try {
      for (const password of ["it's \\ first", 'second']) {
        const env = Object.assign(new Env(), {
          DATABASE_URL: duka.env.DATABASE_URL,
          DATABASE_APP_URL: addressed(encodeURIComponent(password)),
        });
        await runMigrations(env);
        const client = new Client({ connectionString: env.DATABASE_APP_URL });
        await client.connect();
        const { rows } = await client.query('SELECT count(*)::int AS found FROM accounts');
        expect(rows[0].found).toBeGreaterThan(0);
        await client.end();
      }
    } finally {
      await owner.query(`DROP ROLE IF EXISTS ${name}`);
    }
  });
});

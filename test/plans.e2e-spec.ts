import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { SelectQueryBuilder } from 'typeorm';
import { combineWrites } from '../src/core/database/bulk';
import { Env } from '../src/core/config/env';
import { clientConfig, type DatabaseRole } from '../src/core/database/options';
import { encodeId } from '../src/core/http/ids';
import { connected } from '../src/core/database/primary-client';
import { Pipeline } from '../src/core/database/pipeline';
import {
  type AccountRow,
  accountWrite,
  LOCK_ACCOUNTS,
  READ_ACCOUNTS,
  toAccountState,
} from '../src/modules/ledger/ledger-rows';
import type { Transaction } from '../src/modules/transactions/transaction.entity';
import { TransactionsService } from '../src/modules/transactions/transactions.service';
import { SELECT_WALLETS_BY_ID } from '../src/modules/wallets/wallets.service';
import { Duka } from './support/duka';
import { Shopper } from './support/shopper';

const NOBODY = '00000000-0000-7000-8000-000000000000';

let duka: Duka;
beforeAll(async () => (duka = await Duka.start()));
afterAll(() => duka.stop());

/** How an account was looked up before and after indices seem dear. */
async function plansOf(pipeline: Pipeline): Promise<string[]> {
  const say = async (text: string) =>
    (await pipeline.query({ name: '', text }, [])).rows.map((row) => row['QUERY PLAN']).join('\n');
  await pipeline.query({ name: 'account', text: 'SELECT name FROM accounts WHERE id = $1' }, [NOBODY]);
  const plans = [await say(`EXPLAIN EXECUTE account('${NOBODY}')`)];
  for (const way of ['indexscan', 'bitmapscan', 'indexonlyscan']) await say(`SET enable_${way} = off`);
  await say('SET enable_seqscan = on');
  plans.push(await say(`EXPLAIN EXECUTE account('${NOBODY}')`));
  await pipeline.end();
  return plans.map((plan) => /^\w+/.exec(plan)![0]);
}

it('plans a statement once, and again after so long where that is asked for', async () => {
  const config = { ...clientConfig(duka.get<Env>(Env)), plans: 'generic' as const };
  expect(await plansOf(new Pipeline(config))).toEqual(['Index', 'Index']);
  expect(await plansOf(new Pipeline(config, 0))).toEqual(['Index', 'Seq']);
});

describe('while somebody holds a snapshot, and one wallet has paid thousands of times', () => {
  const HOT = '019ac123-4567-789a-bcde-f01234567890';
  let holder: Client;
  let pipeline: Pipeline;

  /** Pages that a statement over the wallet's id looked at, as the hot paths plan it. */
  const pagesOf = async (text: string): Promise<number> => {
    const name = `statement_${createHash('md5').update(text).digest('hex')}`;
    await pipeline.query({ name, text }, [[HOT]]);
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} ('{${HOT}}')`;
    const { rows } = await pipeline.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      { name: '', text: explain },
      [],
    );
    const plan = rows[0]!['QUERY PLAN'][0].Plan;
    expect(plan['Actual Rows']).toBe(1);
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };

  beforeAll(async () => {
    await duka.asOwner(`INSERT INTO wallets (account_id, livemode, id, currency) VALUES ($1, false, $1, 'NGN')`, [HOT]);
    await duka.asOwner(
      `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode)
       SELECT $1, CASE i WHEN 0 THEN $1 ELSE gen_random_uuid() END, 'wallet', 'NGN', false FROM generate_series(0, 199) i`,
      [HOT],
    );
    holder = new Client({ connectionString: duka.get<Env>(Env).DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM accounts');
    await duka.asOwner(`
      DO $$ BEGIN
        FOR i IN 1..10000 LOOP UPDATE ledger_accounts SET updated_at = clock_timestamp() WHERE id = '${HOT}'; END LOOP;
      END $$`);
    // Most of what it looks at is dead.
    await duka.asOwner('ANALYZE ledger_accounts');
    pipeline = new Pipeline({ ...clientConfig(duka.get<Env>(Env)), plans: 'generic' });
  });
  afterAll(async () => {
    await pipeline.end();
    await holder.end();
    await duka.asOwner('DELETE FROM ledger_accounts WHERE account_id = $1', [HOT]);
    await duka.asOwner('DELETE FROM wallets WHERE id = $1', [HOT]);
  });

  it.each([
    ['a posting locks it', LOCK_ACCOUNTS.text],
    ['a preview reads it', READ_ACCOUNTS.text],
    ['GET /v4/wallets/:id reads it', SELECT_WALLETS_BY_ID.text],
  ])('%s without a walk through all that it has been', async (_, text) => {
    expect(await pagesOf('SELECT FROM ledger_accounts WHERE id = ANY($1::uuid[])')).toBeGreaterThan(150);
    expect(await pagesOf(text)).toBeLessThan(20);
  });

  it('a posting changes it where it is', async () => {
    const { rows } = await pipeline.query<AccountRow>({ name: '', text: READ_ACCOUNTS.text }, [[HOT]]);
    const account = { ...toAccountState(rows[0]!), seq: 1n };
    const { query, params } = combineWrites([accountWrite(account, 0n)]);
    const plan = await pipeline.query({ name: '', text: `EXPLAIN (GENERIC_PLAN) ${query.text}` }, []);
    expect(JSON.stringify(plan.rows)).toContain('Tid Scan on ledger_accounts');
    await pipeline.query(query, params);
    await expect(pipeline.query(query, params)).rejects.toThrow('0 rows changed, 1 expected');
    expect(await duka.asOwner('SELECT seq FROM ledger_accounts WHERE id = $1', [HOT])).toEqual([{ seq: '1' }]);
  });
});

describe("a page of a wallet's transactions, of an account that has many", () => {
  const OTHERS = '019ac123-4567-789a-bcde-f01234567aaa';

  it.each([
    ['with statistics', 'ANALYZE transactions'],
    ['without any', `DELETE FROM pg_statistic WHERE starelid = 'transactions'::regclass`],
  ])('reads only what it shows, %s', async (_, before) => {
    await (await Shopper.in(duka)).fund(1_000);
    const one = await duka.asOwner(
      `INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object(
           'account_id', '${OTHERS}', 'id', gen_random_uuid(), 'wallet_id', md5((i % 500)::text)::uuid))).*
         FROM transactions t, generate_series(1, 20000) i WHERE id = (SELECT id FROM transactions LIMIT 1)
       RETURNING wallet_id, livemode`,
    );
    await duka.asOwner(before);
    const getMany = jest.spyOn(SelectQueryBuilder.prototype, 'getMany');
    const { wallet_id: walletId, livemode } = one[0] as { wallet_id: string; livemode: boolean };
    const viewer = { accountId: OTHERS, livemode };
    await duka
      .get<TransactionsService>(TransactionsService)
      .list(viewer, { wallet_id: encodeId('wal', walletId) }, null, 21);
    const [text, values] = (getMany.mock.contexts[0] as SelectQueryBuilder<Transaction>).getQueryAndParameters();
    getMany.mockRestore();
    const [said] = await duka.asOwner(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = said!['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    expect(plan['Actual Rows']).toBe(21);
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(40);
    await duka.asOwner('DELETE FROM transactions WHERE account_id = $1', [OTHERS]);
  });
});

it('compiles no statement, though servers do so unless they are told', async () => {
  const env = duka.get<Env>(Env);
  await connected(clientConfig(env, 'owner'), async (client) => {
    const { rows } = await client.query<{ sql: string }>(
      `SELECT format('ALTER DATABASE %I SET jit = on', current_database()) AS sql`,
    );
    await client.query(rows[0]!.sql);
  });
  const jitOf = (role: DatabaseRole) =>
    connected(
      clientConfig(env, role),
      async (client) => (await client.query<{ jit: string }>('SHOW jit')).rows[0]!.jit,
    );
  expect(await Promise.all((['owner', 'app', 'reader'] as const).map(jitOf))).toEqual(['on', 'off', 'off']);
});

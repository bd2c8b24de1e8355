import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { SelectQueryBuilder } from 'typeorm';
import { arrayParam, combineWrites } from '../src/core/database/bulk';
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
import type { AccountState } from '../src/modules/ledger/posting';
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

describe('while somebody holds a snapshot, and wallets are posted to again and again', () => {
  const OWNER = '019ac123-4567-789a-bcde-f01234567890';
  const WALLETS = 500;
  /** Each has a tenth of the wallets, other ones each time: what moves goes to wherever there is room then. */
  const ROUNDS = 1_200;
  let ids: readonly string[];
  let holder: Client;
  let pipeline: Pipeline;

  const accountsOf = async (some: readonly string[]): Promise<AccountState[]> =>
    (
      await pipeline.query<AccountRow>({ name: 'read_accounts', text: READ_ACCOUNTS.text }, [arrayParam('uuid', some)])
    ).rows.map(toAccountState);
  /** One more entry of each. */
  const posted = (accounts: readonly AccountState[]) =>
    combineWrites(accounts.map((account) => accountWrite({ ...account, seq: account.seq + 1n }, account.seq)));

  /** Pages that a statement, which answers with so many rows, looked at for each wallet. */
  const pagesOf = async (text: string, params: unknown[], count: number): Promise<number> => {
    const explain = { name: '', text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}` };
    const { rows } = await pipeline.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explain, params);
    const plan = rows[0]!['QUERY PLAN'][0].Plan;
    expect(plan['Actual Rows']).toBe(count);
    return (plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!) / WALLETS;
  };
  /** As the hot paths plan it, over the ids of all. */
  const pagesOfPrepared = async (text: string): Promise<number> => {
    const name = `statement_${createHash('md5').update(text).digest('hex')}`;
    await pipeline.query({ name, text }, [ids]);
    return pagesOf(`EXECUTE ${name} ('{${ids.join()}}')`, [], WALLETS);
  };

  beforeAll(async () => {
    const made = await duka.asOwner(
      `WITH w AS (INSERT INTO wallets (account_id, livemode, id, currency)
         SELECT $1, false, gen_random_uuid(), 'NGN' FROM generate_series(1, $2) RETURNING *)
       INSERT INTO ledger_accounts (account_id, id, name, currency, livemode)
         SELECT account_id, id, 'wallet', currency, livemode FROM w RETURNING id`,
      [OWNER, WALLETS],
    );
    ids = made.map(({ id }) => id as string);
    pipeline = new Pipeline({ ...clientConfig(duka.get<Env>(Env)), plans: 'generic' });
    holder = new Client({ connectionString: duka.get<Env>(Env).DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM accounts');
    for (let round = 0; round < ROUNDS; round++) {
      const { query, params } = posted(await accountsOf(ids.filter((_, i) => (i * 7_919 + round * 104_729) % 31 < 3)));
      await pipeline.query(query, params);
    }
    // Most of what it looks at is dead.
    await duka.asOwner('ANALYZE ledger_accounts');
  });
  afterAll(async () => {
    await pipeline.end();
    await holder.end();
    await duka.asOwner('DELETE FROM ledger_accounts WHERE account_id = $1', [OWNER]);
    await duka.asOwner('DELETE FROM wallets WHERE account_id = $1', [OWNER]);
  });

  it.each([
    ['a posting locks them', LOCK_ACCOUNTS.text],
    ['a preview reads them', READ_ACCOUNTS.text],
    ['GET /v4/wallets/:id reads them', SELECT_WALLETS_BY_ID.text],
  ])('%s without a walk through all that they have been', async (_, text) => {
    const PAGES = 9;
    expect(await pagesOfPrepared('SELECT FROM ledger_accounts WHERE id = ANY($1::uuid[])')).toBeGreaterThan(2 * PAGES);
    expect(await pagesOfPrepared(text)).toBeLessThan(PAGES);
  });

  it('a posting changes them where they are, and compares them with little that they have been', async () => {
    const before = await accountsOf(ids);
    const { query, params } = posted(before);
    const plan = await pipeline.query({ name: '', text: `EXPLAIN (GENERIC_PLAN) ${query.text}` }, []);
    expect(JSON.stringify(plan.rows)).toContain('Tid Scan on ledger_accounts');
    expect(await pagesOf(query.text, params, 1)).toBeLessThan(10);
    await expect(pipeline.query(query, params)).rejects.toThrow(`0 rows changed, ${WALLETS} expected`);
    expect((await accountsOf(ids)).map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq + 1n));
  });
});

describe("a page of a wallet's transactions, of an account that has many", () => {
  const OTHERS = '019ac123-4567-789a-bcde-f01234567aaa';

  let some: { wallet_id: string; livemode: boolean };

  // Once for all: where rows went in between, a vacuum would count hardly any, and no plan would be better than another.
  beforeAll(async () => {
    await (await Shopper.in(duka)).fund(1_000);
    // In parts: webhooks of every database of the server wait for a transaction that is open.
    for (let part = 0; part < 10; part++)
      [some] = (await duka.asOwner(
        `INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object(
             'account_id', '${OTHERS}', 'id', gen_random_uuid(), 'wallet_id', md5((i % 500)::text)::uuid))).*
           FROM transactions t, generate_series(1, 2000) i WHERE id = (SELECT id FROM transactions LIMIT 1)
         RETURNING wallet_id, livemode`,
      )) as [typeof some];
    await duka.asOwner('ANALYZE transactions');
  });
  afterAll(() => duka.asOwner('DELETE FROM transactions WHERE account_id = $1', [OTHERS]));

  it.each([
    ['with statistics', 'VACUUM transactions'],
    ['without any', `DELETE FROM pg_statistic WHERE starelid = 'transactions'::regclass`],
  ])('reads only what it shows, %s', async (_, before) => {
    await duka.asOwner(before);
    const getMany = jest.spyOn(SelectQueryBuilder.prototype, 'getMany');
    const { wallet_id: walletId, livemode } = some;
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

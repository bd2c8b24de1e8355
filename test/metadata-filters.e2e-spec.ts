import { randomUUID } from 'node:crypto';
import { SelectQueryBuilder } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { cardholder } from './support/cardholder';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

let duka: Duka;
let api: Api;
let other: Api;

beforeAll(async () => {
  duka = await Duka.start();
  [api, other] = [(await duka.account()).api, (await duka.account('Other shop')).api];
});
afterAll(() => duka.stop());

const query = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `metadata[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`)
    .join('&');

/** Ids of what a list has under these pairs, oldest first. */
const ids = async (path: string, pairs: Record<string, string>, of = api): Promise<string[]> => {
  const { status, body } = await of.get(`${path}${path.includes('?') ? '&' : '?'}${query(pairs)}`);
  expect([path, status]).toEqual([path, 200]);
  return body.data.map(({ id }: { id: string }) => id).reverse();
};

/** How one of each kind is made, by its list. */
const KINDS: Record<string, (metadata: Record<string, string>, by: Api) => Promise<string>> = {
  '/v4/wallets': async (metadata, by) => (await made(by, '/v4/wallets', { currency: 'NGN', metadata })).id,
  '/v4/customers': async (metadata, by) => (await made(by, '/v4/customers', { ...cardholder(), metadata })).id,
  '/v4/cards': async (metadata, by) => {
    const wallet = await by.wallet(100_000, 'USD');
    const order = { customer: cardholder(), currency: 'USD', amount: 5_000, funding_wallet_id: wallet, metadata };
    return (await made(by, '/v4/cards/issue', order)).id;
  },
  '/api/v1/payments': async (metadata, by) =>
    (await made(by, '/api/v1/payments', { amount: 500, currency: 'NGN', metadata })).id,
  '/v4/transactions?type=transfer_out': async (metadata, by) => {
    const order = { from_wallet: await by.wallet(1_000), to_wallet: await by.wallet(), amount: 100, metadata };
    return (await made(by, '/v4/wallets/transfer', order)).transactions.debit;
  },
  '/v4/transactions?type=airtime_purchase': async (metadata, by) => {
    const order = { phone: '+2348031234567', amount: 10_000, wallet_id: await by.wallet(50_000), metadata };
    return (await made(by, '/v4/airtime/purchase', order)).id;
  },
};

async function made(by: Api, path: string, order: object): Promise<Answer['body']> {
  const { status, body } = await by.post(path, order, { key: randomUUID() });
  expect([path, status, body.code]).toEqual([path, 201, undefined]);
  return body;
}

describe.each(Object.keys(KINDS))('%s', (path) => {
  let both: string;
  let one: string;

  beforeAll(async () => {
    const make = KINDS[path]!;
    both = await make({ order: '1001', till: '4', note: '' }, api);
    one = await make({ order: '1001', till: '40' }, api);
    await make({}, api);
    await make({ order: '1001', till: '4' }, other);
  });

  it('has what has all the pairs as they are, of the account alone', async () => {
    const tries: [Record<string, string>, string[]][] = [
      [{ order: '1001' }, [both, one]],
      [{ order: '1001', till: '4' }, [both]],
      [{ order: '1001', till: '4', note: '' }, [both]],
      [{ note: '' }, [both]],
      [{ order: '100' }, []],
      [{ order: '1001 ' }, []],
      [{ Order: '1001' }, []],
      [{ order: '1001', till: '5' }, []],
      [{ __proto__: 'x', constructor: 'x' } as never, []],
      [{ "order' OR true --": '1' }, []],
    ];
    for (const [pairs, expected] of tries) expect([pairs, await ids(path, pairs)]).toEqual([pairs, expected]);
  });

  it('pages through them with a cursor that is good for these pairs only', async () => {
    const at = `${path}${path.includes('?') ? '&' : '?'}limit=1`;
    const { body } = await api.get(`${at}&metadata[order]=1001`);
    expect([body.data[0].id, body.has_more]).toEqual([one, true]);
    const next = await api.get(`${at}&metadata[order]=1001&cursor=${body.next_cursor}`);
    expect(next.body.data[0].id).toBe(both);
    expect((await api.get(`${at}&metadata[order]=1002&cursor=${body.next_cursor}`)).body.code).toBe('invalid_cursor');
  });

  it.each([
    'metadata=x',
    'metadata=x&metadata[order]=1001',
    'metadata[]=1001',
    'metadata[order]=1001&metadata[order]=1002',
    'metadata[a]=1&metadata[b]=2&metadata[c]=3&metadata[d]=4',
    `metadata[${'k'.repeat(41)}]=1`,
    `metadata[order]=${'1'.repeat(501)}`,
    'metadata[order]=%00',
    'metadata[%00]=1',
  ])('refuses %s and says where', async (pairs) => {
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}${pairs}`);
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', '/metadata']);
  });
});

it('exports what has the pairs', async () => {
  const path = '/v4/transactions?type=transfer_out';
  const csv = (await api.get(`${path}&format=csv&metadata[order]=1001&metadata[till]=4`)).body.trim().split('\n');
  const expected = await ids(path, { order: '1001', till: '4' });
  expect(csv.slice(1).map((line: string) => line.split(',')[0])).toEqual(expected);
});

it('takes keys as they were stored, with brackets and all', async () => {
  const metadata = { 'lines[0][sku]': 'a&b=c+d é 漢' };
  const { id } = (await api.post('/v4/wallets', { currency: 'NGN', metadata })).body;
  expect(await ids('/v4/wallets', metadata)).toEqual([id]);
});

it('leaves other fields with brackets unknown', async () => {
  const { status, body } = await api.get('/v4/wallets?limit[a]=1');
  expect([status, body.code]).toEqual([400, 'unknown_field']);
  expect((await api.get('/v4/wallets/transfers?metadata[order]=1')).body.code).toBe('unknown_field');
});

describe('among 200,000 transactions of an account, beside another with the same pairs', () => {
  const [ROWS, EVERY] = [200_000, 10_000];
  /** Blocks of 8 kB that an answer may touch. */
  const BLOCKS_MAX = 200;
  const FIRST = '01900000-0000-7000-8000-';
  let account: string;

  beforeAll(async () => {
    const { id, api: mine } = await duka.account('Large shop');
    const { id: theirs } = await duka.account('Larger shop');
    account = mine.secret!;
    for (const [whose, rows, rare] of [
      [id, ROWS, `'order', 'o-' || n / ${ROWS / EVERY}`],
      [theirs, ROWS / 4, `'order', 'o-7', 'theirs', 'yes'`],
    ] as const)
      await plant(whose, rows, `jsonb_build_object('shop', 'main', ${rare})`);
    await duka.asOwner('VACUUM ANALYZE transactions');
  });
  afterAll(() => duka.asOwner(`DELETE FROM transactions WHERE starts_with(id::text, '${FIRST}')`));

  /** Transactions that moved nothing. `metadata`: an SQL expression of the number `n` of each. */
  const plant = (whose: string, rows: number, metadata: string): Promise<unknown> =>
    duka.asOwner(
      `INSERT INTO transactions (account_id, livemode, id, wallet_id, type, direction, status, amount, currency,
         metadata, updated_at)
       SELECT $1, false, ('${FIRST}' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'transfer_out', 'debit',
         'successful', 1, 'NGN', ${metadata}, now()
         FROM generate_series(1, ${rows}) AS n`,
      [decodeId('acct', whose)],
    );

  /** What the statements that answer touch. */
  async function explained(pairs: Record<string, string>): Promise<{ rows: number; blocks: number; plan: string }> {
    const spy = jest.spyOn(SelectQueryBuilder.prototype, 'getMany');
    const { body } = await duka.api(account).get(`/v4/transactions?limit=20&${query(pairs)}`);
    const asked = spy.mock.contexts.map((one) => (one as SelectQueryBuilder<object>).getQueryAndParameters());
    spy.mockRestore();
    let [blocks, plan] = [0, ''];
    for (const [statement, values] of asked as [string, unknown[]][]) {
      const [row] = await duka.asOwner(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`, values);
      const [explained] = row!['QUERY PLAN'] as { Plan: Record<string, number> }[];
      blocks += explained!.Plan['Shared Hit Blocks']! + explained!.Plan['Shared Read Blocks']!;
      plan += JSON.stringify(explained);
    }
    return { rows: body.data.length, blocks, plan };
  }

  it.each([
    ['few have', { order: 'o-42' }, 20],
    ['nobody has', { order: 'o-none' }, 0],
    ['all have', { shop: 'main' }, 20],
    ['few have, beside one that all have', { shop: 'main', order: 'o-42' }, 20],
    ['another account has in each row', { theirs: 'yes' }, 0],
    ['another account has in each row, and few of its own', { order: 'o-7' }, 20],
  ] as const)('those with a pair that %s are found by touching few of them', async (_, pairs, rows) => {
    const found = await explained(pairs);
    expect([found.rows, found.blocks < BLOCKS_MAX ? 'few' : found]).toEqual([rows, 'few']);
  });
});

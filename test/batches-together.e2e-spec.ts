import { randomUUID } from 'node:crypto';
import type { Api } from './support/api';
import { itemsOf } from './support/batches';
import { Duka } from './support/duka';

let duka: Duka;
let twin: Duka;
let api: Api;
let [from, to, third]: string[] = [];

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});
afterAll(async () => {
  await twin.stop();
  await duka.stop();
});

beforeEach(async () => {
  ({ api } = await duka.account());
  [from, to, third] = [await api.wallet(1_000), await api.wallet(), await api.wallet()];
});

const row = (reference: string, amount: number, more: object = {}) => ({
  from_wallet: from,
  to_wallet: to,
  amount,
  reference,
  ...more,
});
const together = (items: object[], more: object = {}, key: string = randomUUID(), by = api) =>
  by.post('/v4/batches', { kind: 'transfer', on_error: 'all_or_nothing', items, ...more }, { key });

describe('transfers of which all take place, or none', () => {
  it('are answered when they did', async () => {
    const { status, body } = await together([
      row('a', 100),
      row('b', 200, { from_wallet: to, to_wallet: third, amount: 60 }),
    ]);
    expect([status, body]).toMatchObject([
      201,
      { status: 'completed', counts: { successful: 2 }, totals: { amount: 160, fee: 0, total: 160 }, currency: 'NGN' },
    ]);
    expect(await Promise.all([from!, to!, third!].map(async (id) => (await api.balance(id)).ledger))).toEqual([
      900, 40, 60,
    ]);
    const [first, second] = await itemsOf(api, body.id);
    const { body: transfer } = await api.get(`/v4/wallets/transfers/${second.resource_id}`);
    expect([first.status, transfer]).toMatchObject(['successful', { reference: 'b', amount: 60, from_wallet: to }]);
    // Each record carries the balances of its own moment.
    const { body: debit } = await api.get(`/v4/transactions/${transfer.transactions.debit}`);
    expect([debit.balance_before, debit.balance_after]).toEqual([100, 40]);
    expect((await api.get('/v4/references/b')).body).toMatchObject({
      status: 'completed',
      resource: { id: transfer.id },
    });
  });

  it('are told as they happened: events of a wallet have versions of their own, the last is how it stands', async () => {
    await together([
      row('v0', 100),
      row('v1', 200),
      row('v2', 40, { from_wallet: to, to_wallet: third }),
      row('v3', 7),
    ]);
    const events = await api.all('/v4/events?type=wallet.credited&limit=100');
    const told = events.map(({ data }) => data.object).filter(({ id }) => id === to);
    expect(told.map(({ balance }) => balance.available)).toEqual([267, 300, 100]);
    expect(told.map(({ version }) => version - told[2].version)).toEqual([3, 1, 0]);
    const { version, balance } = (await api.get(`/v4/wallets/${to}`)).body;
    expect(told[0]).toMatchObject({ version, balance });
  });

  it('are 500 at most', async () => {
    const rows = Array.from({ length: 501 }, (_, i) => row(`n${i}`, 1));
    expect((await together(rows)).body).toMatchObject({ status: 422, code: 'too_many_rows' });
    const { status, body } = await together(rows.slice(0, 500));
    expect([status, body.counts.successful]).toEqual([201, 500]);
    expect((await api.balance(to!)).ledger).toBe(500);
  });

  it.each([
    ['the wallet cannot pay', () => row('x', 950), 402, 'insufficient_funds', '/items/1/from_wallet'],
    ['a row is malformed', () => row('x', 1.5), 400, 'amount_not_integer', '/items/1/amount'],
    ['both sides are one', () => row('x', 1, { to_wallet: from }), 422, 'same_wallet', '/items/1/to_wallet'],
    ['it goes to nobody', () => row('x', 1, { to_wallet: 'wal_x' }), 404, 'not_found', '/items/1/to_wallet'],
    ['a reference is there twice', () => row('r0', 1), 409, 'duplicate_reference', '/items/1/reference'],
    ['it has no reference', () => row('', 1, { reference: null }), 400, 'validation_failed', '/items/1/reference'],
    [
      'the currency is another',
      () => row('x', 1, { currency: 'USD' }),
      422,
      'currency_mismatch',
      '/items/1/from_wallet',
    ],
  ])('none takes place when %s: the first row at fault is named', async (_, bad, status, code, param) => {
    const before = await duka.totals();
    for (const dry_run of [true, false]) {
      const { body } = await together([row('r0', 100), bad(), row('r2', 10_000)], { dry_run });
      expect([body.status, body.code, body.param]).toEqual([status, code, param]);
    }
    expect(await duka.totals()).toEqual(before);
    expect((await api.get('/v4/batches')).body.data).toEqual([]);
  });

  it('none takes place from a wallet of somebody else, whom the caller may pay', async () => {
    const { api: other } = await duka.account();
    const theirs = await other.wallet(500);
    const items = [row('p0', 10, { to_wallet: theirs }), row('p1', 10, { from_wallet: theirs })];
    expect((await together(items)).body).toMatchObject({
      status: 404,
      code: 'not_found',
      param: '/items/1/from_wallet',
    });
    expect((await together(items.slice(0, 1))).status).toBe(201);
    expect((await other.balance(theirs)).ledger).toBe(510);
  });

  it('none takes place when a reference was used before, and a frozen wallet is named where it pays', async () => {
    await api.transfer(from!, to!, 10, { reference: 'used' });
    expect((await together([row('u0', 1), row('used', 1)])).body).toMatchObject({
      code: 'duplicate_reference',
      param: '/items/1/reference',
    });
    await api.post(`/v4/wallets/${to}/freeze`, { reason: 'test' });
    expect((await together([row('f0', 1), row('f1', 1, { from_wallet: to, to_wallet: third })])).body).toMatchObject({
      code: 'wallet_frozen',
      param: '/items/1/from_wallet',
    });
  });

  it('take place once for a key, a reference, and a likeness, whichever of two processes is asked', async () => {
    const other = twin.api(api.secret);
    const items = [row('k0', 10), row('k1', 10)];
    const answers = await Promise.all([api, other, api, other].map((by) => together(items, {}, 'key-1', by)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await api.balance(to!)).ledger).toBe(20);
    const again = await together(items, {}, randomUUID());
    expect(again.body).toMatchObject({ code: 'duplicate_reference', param: '/items/0/reference' });
    const same = [row('race', 1)];
    const race = await Promise.all([api, other].map((by) => together(same, {}, randomUUID(), by)));
    expect(new Set(race.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect((await api.balance(to!)).ledger).toBe(21);
  });

  it('can be looked at first: a dry run writes nothing', async () => {
    const before = await duka.totals();
    const { status, body } = await together([row('d0', 100), row('d1', 200)], { dry_run: true });
    expect([status, body]).toMatchObject([200, { id: null, counts: { valid: 2 }, totals: { total: 300 } }]);
    expect(await duka.totals()).toEqual(before);
  });
});

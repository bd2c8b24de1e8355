import type { Api } from './support/api';
import { Duka } from './support/duka';

describe('transfers', () => {
  let duka: Duka;
  let api: Api;
  let other: Api;

  beforeAll(async () => {
    duka = await Duka.start();
    api = (await duka.account()).api;
    other = (await duka.account('Other shop')).api;
  });
  afterAll(() => duka.stop());

  const transfer: Api['transfer'] = (...order) => api.transfer(...order);

  it('moves money and records it for both sides', async () => {
    const [a, b] = [await api.wallet(10_000), await other.wallet()];
    const { status, body } = await transfer(a, b, 2_500, { reference: 'order-1', narration: 'Float' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'successful',
      amount: 2_500,
      fee: 0,
      currency: 'NGN',
      amount_display: 'NGN 25.00',
    });
    expect(body.transactions.credit).toBeNull();
    expect(await api.balance(a)).toMatchObject({ available: 7_500, held: 0, ledger: 7_500 });
    expect(await other.balance(b)).toMatchObject({ available: 2_500, held: 0, ledger: 2_500 });
    const debit = await api.get(`/v4/transactions/${body.transactions.debit}`);
    expect(debit.body).toMatchObject({
      type: 'transfer_out',
      direction: 'debit',
      balance_before: 10_000,
      balance_after: 7_500,
      counterparty: b,
    });
    expect((await api.get('/v4/transactions/order-1')).body.id).toBe(debit.body.id);
    const credit = (await other.get(`/v4/transactions?wallet_id=${b}`)).body.data[0];
    expect(credit).toMatchObject({
      type: 'transfer_in',
      balance_before: 0,
      balance_after: 2_500,
      reference: null,
      details: {},
    });
    expect((await api.get(`/v4/wallets/transfers/${body.id}`)).body).toEqual(body);
    expect((await other.get(`/v4/wallets/transfers/${body.id}`)).status).toBe(404);
  });

  it('refuses what the books refuse, and leaves no trace', async () => {
    const [a, b, usd] = [await api.wallet(100), await api.wallet(), await api.wallet(0, 'USD')];
    const strangers = await other.wallet(100);
    const before = await duka.totals();
    const codes = await Promise.all([
      transfer(a, b, 101),
      transfer(a, usd, 1),
      transfer(a, a, 1),
      transfer(strangers, a, 1),
      transfer(a, 'wal_nonsense', 1),
      transfer(a, b, 1, { currency: 'USD' }),
      transfer(a, b, 0),
      transfer(a, b, 1.5),
      transfer(a, b, 2 ** 53),
      transfer(a, b, 1, { colour: 'red' }),
    ]);
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual([
      [402, 'insufficient_funds'],
      [422, 'currency_mismatch'],
      [422, 'same_wallet'],
      [404, 'not_found'],
      [404, 'not_found'],
      [422, 'currency_mismatch'],
      [400, 'amount_out_of_range'],
      [400, 'amount_not_integer'],
      [400, 'amount_out_of_range'],
      [400, 'unknown_field'],
    ]);
    expect(codes[0]!.body).toMatchObject({ recovery: 'account_must_act', retryable: false, param: '/from_wallet' });
    expect(await duka.totals()).toEqual(before);
  });

  it('answers a repeated key with the first effect, and refuses it for another request', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    const first = await transfer(a, b, 100, { key: 'k-1' });
    const again = await transfer(a, b, 100, { key: 'k-1' });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await transfer(a, b, 100, { key: '"k-1"' })).body).toEqual(first.body);
    const reused = await transfer(a, b, 101, { key: 'k-1' });
    expect(reused.status).toBe(422);
    expect(reused.body).toMatchObject({ code: 'idempotency_key_reused', resource_id: first.body.id });
    expect((await other.post('/v4/wallets', { currency: 'NGN' }, { key: 'k-1' })).status).toBe(201);
    expect(await api.balance(b)).toMatchObject({ available: 100 });
    expect((await api.get('/v4/idempotency/k-1')).body).toMatchObject({
      status: 'completed',
      resource: { id: first.body.id },
    });
    expect((await api.get('/v4/idempotency/k-2')).body).toMatchObject({ status: 'not_seen', resource: null });
  });

  it('keeps a reference for ever: 200 for the same request, 409 for another', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    const first = await transfer(a, b, 100, { reference: 'r-1' });
    const again = await transfer(a, b, 100, { reference: 'r-1' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await transfer(a, b, 5, { reference: 'r-1' });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'duplicate_reference', resource_id: first.body.id, param: '/reference' });
    expect((await api.get('/v4/references/r-1')).body).toMatchObject({
      status: 'completed',
      resource: { id: first.body.id },
    });
  });

  it('binds nothing to a key that was refused', async () => {
    const [a, b] = [await api.wallet(), await api.wallet()];
    expect((await transfer(a, b, 100, { reference: 'late', key: 'late' })).status).toBe(402);
    await api.credit(a, 100);
    expect((await transfer(a, b, 100, { reference: 'late', key: 'late' })).status).toBe(201);
  });

  it('shows what a dry run would do and writes nothing', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    const before = await duka.totals();
    const dry = await transfer(a, b, 400, { dry_run: true, reference: 'dry', key: 'dry' });
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({
      id: null,
      ledger: [
        { wallet_id: a, bucket: 'available', amount: -400, balance_after: 600 },
        { wallet_id: b, bucket: 'available', amount: 400, balance_after: 400 },
      ],
    });
    expect((await transfer(a, b, 4_000, { dry_run: true })).status).toBe(402);
    expect(await duka.totals()).toEqual(before);
    expect((await transfer(a, b, 400, { reference: 'dry', key: 'dry' })).status).toBe(201);
  });
});

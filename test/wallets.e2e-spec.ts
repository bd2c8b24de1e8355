import type { Api } from './support/api';
import { Duka } from './support/duka';

describe('wallets and transfers', () => {
  let duka: Duka;
  let api: Api;
  let other: Api;

  beforeAll(async () => {
    duka = await Duka.start();
    api = (await duka.account()).api;
    other = (await duka.account('Other shop')).api;
  });
  afterAll(() => duka.stop());

  const transfer = (from: string, to: string, amount: number, more: object = {}, key?: string) =>
    api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount, ...more }, { key });

  it('starts an account with one empty NGN wallet per mode', async () => {
    const fresh = await duka.account();
    const live = duka.api(await duka.key({ accountId: fresh.id, livemode: true }));
    for (const [mode, as] of [['test', fresh.api], ['live', live]] as const) {
      const { body } = await as.get('/v4/account');
      expect(body).toMatchObject({ id: fresh.id, mode });
      expect(body.wallets).toEqual([expect.objectContaining({ currency: 'NGN', balance: { available: 0, held: 0, ledger: 0 } })]);
    }
  });

  it('creates, lists and changes wallets', async () => {
    const made = await api.post('/v4/wallets', { currency: 'KES', label: 'Till', low_balance_threshold: 500, metadata: { till: '7' } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: 'wallet', currency: 'KES', label: 'Till', status: 'active', low_balance_threshold: 500 });
    const { id } = made.body;
    const changed = await api.patch(`/v4/wallets/${id}`, { label: null, metadata: { till: '8' } });
    expect(changed.body).toMatchObject({ label: null, metadata: { till: '8' }, low_balance_threshold: 500 });
    const { body } = await api.get('/v4/wallets?currency=KES');
    expect(body.data.map((wallet: { id: string }) => wallet.id)).toEqual([id]);
  });

  it('moves money and records it for both sides', async () => {
    const [a, b] = [await api.wallet(10_000), await other.wallet()];
    const { status, body } = await transfer(a, b, 2_500, { reference: 'order-1', narration: 'Float' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'successful', amount: 2_500, fee: 0, currency: 'NGN', amount_display: 'NGN 25.00' });
    expect(body.transactions.credit).toBeNull();
    expect(await api.balance(a)).toEqual({ available: 7_500, held: 0, ledger: 7_500 });
    expect(await other.balance(b)).toEqual({ available: 2_500, held: 0, ledger: 2_500 });
    const debit = await api.get(`/v4/transactions/${body.transactions.debit}`);
    expect(debit.body).toMatchObject({ type: 'transfer_out', direction: 'debit', balance_before: 10_000, balance_after: 7_500, counterparty: b });
    expect((await api.get('/v4/transactions/order-1')).body.id).toBe(debit.body.id);
    const credit = (await other.get(`/v4/transactions?wallet_id=${b}`)).body.data[0];
    expect(credit).toMatchObject({ type: 'transfer_in', balance_before: 0, balance_after: 2_500, reference: null, details: {} });
    expect((await api.get(`/v4/wallets/transfers/${body.id}`)).body).toEqual(body);
    expect((await other.get(`/v4/wallets/transfers/${body.id}`)).status).toBe(404);
  });

  it('refuses what the books refuse, and leaves no trace', async () => {
    const [a, b, usd] = [await api.wallet(100), await api.wallet(), await api.wallet(0, 'USD')];
    const strangers = await other.wallet(100);
    const before = await duka.totals();
    const codes = await Promise.all([
      transfer(a, b, 101), transfer(a, usd, 1), transfer(a, a, 1), transfer(strangers, a, 1), transfer(a, 'wal_nonsense', 1),
      transfer(a, b, 1, { currency: 'USD' }), transfer(a, b, 0), transfer(a, b, 1.5), transfer(a, b, 2 ** 53), transfer(a, b, 1, { colour: 'red' }),
    ]);
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual([
      [402, 'insufficient_funds'], [422, 'currency_mismatch'], [422, 'same_wallet'], [404, 'not_found'], [404, 'not_found'],
      [422, 'currency_mismatch'], [400, 'amount_out_of_range'], [400, 'amount_not_integer'], [400, 'amount_out_of_range'], [400, 'unknown_field'],
    ]);
    expect(codes[0]!.body).toMatchObject({ recovery: 'account_must_act', retryable: false, param: '/from_wallet' });
    expect(await duka.totals()).toEqual(before);
  });

  it('answers a repeated key with the first effect, and refuses it for another request', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    const first = await transfer(a, b, 100, {}, 'k-1');
    const again = await transfer(a, b, 100, {}, 'k-1');
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await transfer(a, b, 100, {}, '"k-1"')).body).toEqual(first.body);
    const reused = await transfer(a, b, 101, {}, 'k-1');
    expect(reused.status).toBe(422);
    expect(reused.body).toMatchObject({ code: 'idempotency_key_reused', resource_id: first.body.id });
    expect((await other.post('/v4/wallets', { currency: 'NGN' }, { key: 'k-1' })).status).toBe(201);
    expect(await api.balance(b)).toMatchObject({ available: 100 });
    expect((await api.get('/v4/idempotency/k-1')).body).toMatchObject({ status: 'completed', resource: { id: first.body.id } });
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
    expect((await api.get('/v4/references/r-1')).body).toMatchObject({ status: 'completed', resource: { id: first.body.id } });
  });

  it('binds nothing to a key that was refused', async () => {
    const [a, b] = [await api.wallet(), await api.wallet()];
    expect((await transfer(a, b, 100, { reference: 'late' }, 'late')).status).toBe(402);
    await api.credit(a, 100);
    expect((await transfer(a, b, 100, { reference: 'late' }, 'late')).status).toBe(201);
  });

  it('shows what a dry run would do and writes nothing', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    const before = await duka.totals();
    const dry = await transfer(a, b, 400, { dry_run: true, reference: 'dry' }, 'dry');
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
    expect((await transfer(a, b, 400, { reference: 'dry' }, 'dry')).status).toBe(201);
  });

  it('lets a frozen wallet receive but not pay, and closes only an empty one', async () => {
    const [a, b] = [await api.wallet(100), await api.wallet(100)];
    expect((await api.post(`/v4/wallets/${a}/freeze`)).body.status).toBe('frozen');
    expect((await transfer(a, b, 1)).body.code).toBe('wallet_frozen');
    expect((await transfer(b, a, 1)).status).toBe(201);
    expect((await api.post(`/v4/wallets/${a}/freeze`)).body.code).toBe('invalid_state_transition');
    expect((await api.post(`/v4/wallets/${a}/close`)).body.code).toBe('invalid_state_transition');
    expect((await api.post(`/v4/wallets/${a}/unfreeze`)).body.status).toBe('active');
    expect((await transfer(a, b, 101)).status).toBe(201);
    expect((await api.post(`/v4/wallets/${a}/close`, undefined, { key: 'close-a' })).body.status).toBe('closed');
    expect((await api.post(`/v4/wallets/${a}/close`, undefined, { key: 'close-a' })).headers.get('idempotent-replayed')).toBe('true');
    expect((await transfer(b, a, 1)).body.code).toBe('wallet_closed');
    expect((await api.post(`/v4/wallets/${a}/unfreeze`)).status).toBe(409);
  });

  it('pages through a statement to its end and knows every balance on the way', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    for (let i = 1; i <= 7; i++) await transfer(a, b, i);
    const seen = await api.all(`/v4/wallets/${a}/entries?limit=3`);
    expect(seen.map((entry) => entry.amount)).toEqual([-7, -6, -5, -4, -3, -2, -1, 1_000]);
    expect(seen.map((entry) => entry.balance_after)).toEqual([972, 979, 985, 990, 994, 997, 999, 1_000]);
    expect(seen.map((entry) => entry.sequence)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const { created_at: at } = seen[3];
    const then = (await api.get(`/v4/wallets/${a}?at=${at}`)).body.balance;
    expect(seen.find((entry) => entry.created_at === at).balance_after).toBe(then.available);
    expect((await api.get(`/v4/wallets/${a}?at=2020-01-01T00:00:00Z`)).body.balance).toEqual({ available: 0, held: 0, ledger: 0 });
    const csv = await api.get(`/v4/wallets/${a}/entries?format=csv`);
    expect(csv.body.trim().split('\n')).toHaveLength(9);
  });

  it('keeps a list stable while rows are added, and its cursor to itself', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    for (let i = 0; i < 5; i++) await transfer(a, b, 1);
    const first = (await api.get(`/v4/transactions?wallet_id=${a}&limit=2`)).body;
    await transfer(a, b, 1);
    const second = (await api.get(`/v4/transactions?wallet_id=${a}&limit=2&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(4);
    expect([...ids].sort().reverse()).toEqual(ids);
    const misused = await Promise.all([
      api.get(`/v4/transactions?wallet_id=${b}&limit=2&cursor=${first.next_cursor}`),
      api.get(`/v4/transactions?wallet_id=${a}&cursor=${first.next_cursor.replace(/.$/, (c: string) => (c === 'A' ? 'B' : 'A'))}`),
      other.get(`/v4/transactions?wallet_id=${a}&cursor=${first.next_cursor}`),
    ]);
    expect(misused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([400, 'invalid_cursor']));
  });

  it('filters transactions, in both families', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    await transfer(a, b, 10, { reference: 'f-1' });
    await transfer(a, b, 20);
    const amounts = async (query: string) =>
      (await api.get(`/v4/transactions?wallet_id=${a}&${query}`)).body.data.map((t: { amount: number }) => t.amount);
    expect(await amounts('type=transfer_out')).toEqual([20, 10]);
    expect(await amounts('direction=credit')).toEqual([1_000]);
    expect(await amounts('reference=f-1')).toEqual([10]);
    expect(await amounts('amount_gte=20&amount_lte=999')).toEqual([20]);
    expect(await amounts('status=failed')).toEqual([]);
    expect(await amounts('created_lt=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await amounts('created_gte=2020-01-01T00:00:00Z&currency=NGN')).toEqual([20, 10, 1_000]);
    const v1 = await api.get(`/api/v1/transactions?wallet_id=${a}`);
    expect(v1.body.data).toEqual((await api.get(`/v4/transactions?wallet_id=${a}`)).body.data);
    expect((await api.get('/v4/transactions?format=csv')).body).toContain('f-1');
  });

  it('tells the story of a transaction and announces every change', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    await api.patch(`/v4/wallets/${a}`, { low_balance_threshold: 950 });
    const { body } = await transfer(a, b, 100, {}, 'story');
    const { data } = (await api.get(`/v4/transactions/${body.transactions.debit}/timeline`)).body;
    expect(data.map((item: { kind: string }) => item.kind)).toEqual(['transaction.created', 'ledger.entry', 'event', 'transaction.completed']);
    const events = (await api.get('/v4/events?limit=3')).body.data;
    expect(events.map((event: { type: string }) => event.type).sort()).toEqual(['transfer.successful', 'wallet.credited', 'wallet.low_balance']);
    const sent = events.find((event: { type: string }) => event.type === 'transfer.successful');
    expect(sent).toMatchObject({ data: { object: body }, request: { idempotency_key: 'story' }, livemode: false });
    expect((await api.get(`/v4/events/${sent.id}`)).body).toEqual(sent);
    await transfer(b, a, 100);
    const credited = (await api.get('/v4/events?type=wallet.credited&limit=2')).body.data;
    expect(credited.map((event: any) => event.data.object.balance.available)).toEqual([1_000, 100]);
  });

  it('keeps test and live apart', async () => {
    const mine = await duka.account();
    const live = duka.api(await duka.key({ accountId: mine.id, livemode: true }));
    const wallet = await mine.api.wallet(100);
    const liveWallet = (await live.post('/v4/wallets', { currency: 'NGN' })).body.id;
    expect((await live.get(`/v4/wallets/${wallet}`)).status).toBe(404);
    expect((await mine.api.get(`/v4/wallets/${liveWallet}`)).status).toBe(404);
    expect((await mine.api.post('/v4/wallets/transfer', { from_wallet: wallet, to_wallet: liveWallet, amount: 1 })).status).toBe(404);
    expect((await live.post(`/v4/sandbox/wallets/${liveWallet}/credit`, { amount: 1 })).body.code).toBe('key_mode_mismatch');
    expect((await live.get('/v4/transactions')).body.data).toEqual([]);
  });

  it('empties the sandbox', async () => {
    const mine = await duka.account();
    const [a, b] = [await mine.api.wallet(700), await mine.api.wallet(300, 'USD')];
    await mine.api.post(`/v4/wallets/${a}/freeze`);
    const { body } = await mine.api.post('/v4/sandbox/reset');
    expect(body.returned).toEqual([expect.objectContaining({ wallet_id: b, amount: 300 }), expect.objectContaining({ wallet_id: a, amount: 700 })]);
    expect(await mine.api.balance(a)).toMatchObject({ ledger: 0 });
    expect((await mine.api.post('/v4/sandbox/reset')).body.returned).toEqual([]);
  });

  it('refuses a balance that a JSON number could not say exactly', async () => {
    const a = await api.wallet(Number.MAX_SAFE_INTEGER);
    const over = await api.post(`/v4/sandbox/wallets/${a}/credit`, { amount: 1 });
    expect([over.status, over.body.code]).toEqual([402, 'limit_exceeded']);
    expect(await api.balance(a)).toMatchObject({ available: Number.MAX_SAFE_INTEGER });
  });
});

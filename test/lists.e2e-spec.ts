import type { Api } from './support/api';
import { Duka } from './support/duka';

describe('lists, statements and events', () => {
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
    expect((await api.get(`/v4/wallets/${a}?at=2020-01-01T00:00:00Z`)).body.balance).toEqual({
      available: 0,
      held: 0,
      ledger: 0,
      credit_available: 0,
    });
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
      api.get(
        `/v4/transactions?wallet_id=${a}&cursor=${first.next_cursor.replace(/.$/, (c: string) => (c === 'A' ? 'B' : 'A'))}`,
      ),
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
    await api.credit(a, 50_000);
    const phone = '+2348031234567';
    const { body: bought } = await api.post('/v4/airtime/purchase', { wallet_id: a, phone, amount: 10_000 });
    // A + that nobody escaped, too.
    for (const recipient of [encodeURIComponent(phone), phone])
      expect(await amounts(`recipient=${recipient}`)).toEqual([bought.amount]);
    const v1 = await api.get(`/api/v1/transactions?wallet_id=${a}`);
    expect(v1.body.data).toEqual((await api.get(`/v4/transactions?wallet_id=${a}`)).body.data);
    expect((await api.get('/v4/transactions?format=csv')).body).toContain('f-1');
  });

  it('tells the story of a transaction and announces every change', async () => {
    const [a, b] = [await api.wallet(1_000), await api.wallet()];
    await api.patch(`/v4/wallets/${a}`, { low_balance_threshold: 950 });
    const { body } = await transfer(a, b, 100, { key: 'story' });
    const { data } = (await api.get(`/v4/transactions/${body.transactions.debit}/timeline`)).body;
    expect(data.map((item: { kind: string }) => item.kind)).toEqual([
      'transaction.created',
      'ledger.entry',
      'transaction.completed',
      'event',
      'event',
    ]);
    const events = (await api.get('/v4/events?limit=5')).body.data;
    expect(events.map((event: { type: string }) => event.type).sort()).toEqual([
      'transaction.successful',
      'transaction.successful',
      'transfer.successful',
      'wallet.credited',
      'wallet.low_balance',
    ]);
    const sent = events.find((event: { type: string }) => event.type === 'transfer.successful');
    expect(sent).toMatchObject({ data: { object: body }, request: { idempotency_key: 'story' }, livemode: false });
    expect((await api.get(`/v4/events/${sent.id}`)).body).toEqual(sent);
    await transfer(b, a, 100);
    const credited = (await api.get('/v4/events?type=wallet.credited&limit=2')).body.data;
    expect(credited.map((event: any) => event.data.object.balance.available)).toEqual([1_000, 100]);
    expect(credited.map((event: any) => event.data.object.balance_display)).toEqual(['NGN 10.00', 'NGN 1.00']);
  });
});

import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };

let duka: Duka;
let network: CardNetwork;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  network = await CardNetwork.in(duka, 10_000);
});

const authorize = (amount: number): Promise<any> => network.done('authorization', { amount, merchant: SHOP });

describe('what is asked', () => {
  it.each([
    ['an authorization without amount', 'authorization', {}, '/amount'],
    ['a fee without amount', 'fee', {}, '/amount'],
    ['a clearing of nothing', 'clearing', {}, '/amount'],
    ['a void of nothing', 'void', {}, '/card_transaction_id'],
    [
      'a merchant without category',
      'authorization',
      { amount: 1, merchant: { name: 'x', country: 'NG' } },
      '/merchant/mcc',
    ],
    [
      'a merchant nowhere',
      'authorization',
      { amount: 1, merchant: { ...SHOP, country: 'Nigeria' } },
      '/merchant/country',
    ],
    [
      'an unknown field of the merchant',
      'authorization',
      { amount: 1, merchant: { ...SHOP, city: 'Lagos' } },
      '/merchant/city',
    ],
    ['an unknown kind', 'chargeback', {}, '/kind'],
  ])('%s is refused', async (_, kind, body, param) => {
    const answer = await network.simulate(kind, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: any) => error.param)).toContain(param);
  });

  it('other accounts have neither the card nor what happened on it', async () => {
    const { id } = await authorize(100);
    const other = await CardNetwork.in(duka, 100);
    expect((await other.step('clearing', id)).status).toBe(404);
    expect(
      (await other.api.post(`/v4/sandbox/cards/${network.card}/simulate`, { kind: 'fee', amount: 1 })).status,
    ).toBe(404);
    expect((await other.api.get(`/v4/cards/${network.card}/transactions`)).status).toBe(404);
    expect((await network.api.get('/v4/cards/crd_nonsense/transactions')).status).toBe(404);
    expect((await network.step('clearing', 'ctx_nonsense')).status).toBe(404);
  });

  it('a live key may not simulate', async () => {
    const live = duka.api(await duka.key({ accountId: network.owner.accountId, livemode: true }));
    const answer = await live.post(`/v4/sandbox/cards/${network.card}/simulate`, { kind: 'fee', amount: 1 });
    expect([answer.status, answer.body.code]).toEqual([403, 'key_mode_mismatch']);
    expect((await live.get(`/v4/cards/${network.card}/transactions`)).status).toBe(404);
  });

  it('a key works once', async () => {
    const first = await network.simulate('authorization', { amount: 100 }, 'k1');
    const again = await network.simulate('authorization', { amount: 100 }, 'k1');
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
    expect((await network.simulate('authorization', { amount: 101 }, 'k1')).body.code).toBe('idempotency_key_reused');
    const clear = () => network.simulate('clearing', { card_transaction_id: first.body.id, amount: 40 }, 'k2');
    await clear();
    expect((await clear()).body).toMatchObject({ status: 'settled', held_amount: 60, settled_amount: 40 });
    const decline = () => network.simulate('decline', { amount: 100 }, 'k3');
    expect((await decline()).body).toEqual((await decline()).body);
    expect(await network.list()).toHaveLength(2);
  });

  it('lists are filtered and paged', async () => {
    const [{ id: a }, { id: b }] = [await authorize(1), await authorize(2)];
    await network.step('clearing', a);
    await network.done('decline', { amount: 3 });
    await network.done('fee', { amount: 4 });
    expect((await network.list()).map(({ amount }) => amount)).toEqual([4, 3, 2, 1]);
    expect((await network.list('&status=authorized')).map(({ id }) => id)).toEqual([b]);
    expect((await network.list('&status=settled')).map(({ amount }) => amount)).toEqual([4, 1]);
    expect((await network.list('&type=authorization&status=declined')).map(({ amount }) => amount)).toEqual([3]);
    expect(await network.list('&created_lt=2020-01-01T00:00:00Z')).toEqual([]);
    expect(
      (await network.api.all(`/v4/cards/${network.card}/transactions?limit=1`)).map(({ amount }) => amount),
    ).toEqual([4, 3, 2, 1]);
    expect((await network.api.get(`/v4/cards/${network.card}/transactions?status=lost`)).status).toBe(400);
  });
});

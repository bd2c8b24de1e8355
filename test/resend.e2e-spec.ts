import { Duka, type TestAccount } from './support/duka';

describe('is it safe to resend?', () => {
  let duka: Duka;
  let shop: TestAccount;

  beforeAll(async () => {
    duka = await Duka.start();
    shop = await duka.account();
  });
  afterAll(() => duka.stop());

  it('tells what became of a key and a reference, and shows the resource only to a key that may read it', async () => {
    const made = await shop.api.post('/v4/wallets', { currency: 'NGN', reference: 'till-1' }, { key: 'k-1' });
    const reader = duka.api(await duka.key({ accountId: shop.id, scopes: ['wallets:read'] }));
    const stranger = duka.api(await duka.key({ accountId: shop.id, scopes: ['events:read'] }));
    for (const path of ['/v4/idempotency/k-1', '/v4/references/till-1']) {
      expect((await reader.get(path)).body).toMatchObject({ status: 'completed', resource: { id: made.body.id } });
      expect((await stranger.get(path)).body).toMatchObject({ status: 'completed', resource: null });
    }
    expect((await reader.get('/v4/references/till-2')).body).toMatchObject({ status: 'not_seen', resource: null });
    expect((await (await duka.account()).api.get('/v4/references/till-1')).body.status).toBe('not_seen');
  });

  it('knows nothing of what PostgreSQL cannot hold, and keeps nobody beside from an answer', async () => {
    const { api } = await duka.account();
    const wallet = (await api.get('/v4/wallets')).body.data[0].id;
    await api.credit(wallet, 1_000_000);
    const strange = ['/v4/idempotency/%00', '/v4/references/a%00b'];
    const buy = (i: number) =>
      api.post('/v4/airtime/purchase', { phone: `+23480312345${i}`, amount: 10_000 }, { key: `beside-${i}` });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => [buy(10 + i), ...strange.map((path) => shop.api.get(path))]).flat(),
    );
    const seen = answers.map(({ status, body }) => [status, body.status]);
    expect(seen).toEqual(seen.map((_, i) => (i % 3 === 0 ? [201, 'successful'] : [200, 'not_seen'])));
  });
});

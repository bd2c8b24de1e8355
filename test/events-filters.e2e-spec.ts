import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';
import { createEndpoint, relayNow } from './support/webhooks';

let duka: Duka;
let account: TestAccount;
let api: Api;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  account = await duka.account();
  ({ api } = account);
  const endpoint = await createEndpoint(api);
  const wallet = await api.wallet();
  await api.credit(wallet, 1_000);
  await api.transfer(wallet, (await api.post('/v4/wallets', { currency: 'NGN' })).body.id, 100);
  await relayNow(duka);
  await api.post(`/v4/webhooks/${endpoint.id}/disable`);
});
afterAll(() => duka.stop());

const typesOf = async (query: string): Promise<string[]> =>
  (await api.get(`/v4/events?limit=100&${query}`)).body.data.map(({ type }: { type: string }) => type).toSorted();
const all = async (wanted: (type: string) => boolean): Promise<string[]> => (await typesOf('')).filter(wanted);

describe('the list of events', () => {
  it('has each kind that is asked for below', async () => {
    expect(await typesOf('')).toEqual(
      expect.arrayContaining(['transfer.successful', 'wallet.created', 'wallet.credited', 'webhook_endpoint.disabled']),
    );
  });

  it.each([
    ['one type', 'type=wallet.credited', (type: string) => type === 'wallet.credited'],
    [
      'two, by commas',
      'type=wallet.created,transfer.successful',
      (type: string) => ['wallet.created', 'transfer.successful'].includes(type),
    ],
    [
      'two, repeated',
      'type=wallet.created&type=transfer.successful',
      (type: string) => ['wallet.created', 'transfer.successful'].includes(type),
    ],
    ['all of a resource', 'type=wallet.*', (type: string) => type.startsWith('wallet.')],
    [
      'a type and a pattern',
      'type=transfer.successful,webhook_endpoint.*',
      (type: string) => /^(transfer|webhook_endpoint)\./.test(type),
    ],
    ['everything', 'type=*', () => true],
    ['what never happened', 'type=card.*', (type: string) => type.startsWith('card.')],
    ['what nobody listens to', 'type=webhook_endpoint.test', () => false],
  ])('takes %s', async (_, query, wanted) => {
    expect(await typesOf(query)).toEqual(await all(wanted));
  });

  it('takes them followed, too', async () => {
    await until(async () => (await typesOf('order=asc')).length === (await typesOf('')).length);
    expect(await typesOf('order=asc&type=wallet.*,transfer.successful')).toEqual(
      await all((type) => /^(transfer|wallet)\./.test(type)),
    );
  });

  it('takes them with whether they arrived', async () => {
    const owed = await typesOf('delivery_success=false');
    expect(owed).toEqual(expect.arrayContaining(['transfer.successful', 'transaction.successful', 'wallet.credited']));
    expect(await typesOf('delivery_success=false&type=wallet.*,transfer.successful')).toEqual(
      owed.filter((type) => /^(transfer|wallet)\./.test(type)),
    );
  });

  it.each(['type=wallet.credited,theft', 'type=wal*', 'type=theft.*', 'type=', 'type=wallet.credited,'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await api.get(`/v4/events?${query}`);
      expect([status, body.code, body.param]).toEqual([400, 'validation_failed', '/type']);
    },
  );

  it.each([
    ['order=asc&delivery_success=true', '/delivery_success'],
    ['order=asc&delivery_success=false', '/delivery_success'],
    ['after=x', '/after'],
    ['order=desc&after=x', '/after'],
  ])('refuses %s, which it could only ignore', async (query, param) => {
    const { status, body } = await api.get(`/v4/events?${query}`);
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', param]);
    expect(body.errors).toMatchObject([{ param }]);
  });

  it('goes on only with the types that its cursor came from', async () => {
    const { body } = await api.get('/v4/events?limit=1&type=wallet.*');
    const cursor = encodeURIComponent(body.next_cursor);
    expect((await api.get(`/v4/events?limit=1&type=wallet.*&cursor=${cursor}`)).status).toBe(200);
    expect((await api.get(`/v4/events?limit=1&type=wallet.created&cursor=${cursor}`)).body.code).toBe('invalid_cursor');
  });
});

import { Duka } from './support/duka';
import { Payer } from './support/payer';

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const NET = 98_500;

describe('a payment that is asked for', () => {
  it('is pending, with a page to pay it on and the gateways that could take it', async () => {
    const { status, body } = await payer.create({
      reference: 'order-1',
      description: 'Shoes',
      customer: { name: 'Ada' },
      metadata: { order: '1' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'payment',
      status: 'pending',
      amount: 100_000,
      amount_received: null,
      amount_refunded: 0,
      currency_received: null,
      resolution: null,
      fee: 1_500,
      currency: 'NGN',
      amount_display: 'NGN 1,000.00',
      gateway: null,
      available_gateways: ['sandbox_card', 'sandbox_bank_transfer'],
      wallet_id: payer.wallet,
      transaction_id: null,
      reference: 'order-1',
      description: 'Shoes',
      customer: { name: 'Ada' },
      metadata: { order: '1' },
      needs_review: false,
      livemode: false,
      failure: null,
      paid_at: null,
    });
    expect(new Date(body.expires_at).getTime() - new Date(body.created_at).getTime()).toBeGreaterThan(3_590_000);
    expect(await payer.get(body.id)).toEqual(body);
    expect(await payer.balance()).toBe(0);
  });

  it('has a status of exactly these fields', async () => {
    const { id } = await payer.asked();
    const { body } = await payer.api.get(`/api/v1/payments/${id}/status`);
    expect(Object.keys(body)).toEqual([
      'id',
      'status',
      'final',
      'amount',
      'amount_received',
      'amount_refunded',
      'currency_received',
      'fee',
      'currency',
      'gateway',
      'reference',
      'failure',
      'paid_at',
      'updated_at',
    ]);
    expect(body).toMatchObject({ id, status: 'pending', final: false });
  });

  it.each<[string, object, number, string]>([
    ['no amount', { amount: undefined }, 400, 'validation_failed'],
    ['a fraction', { amount: 1.5 }, 400, 'amount_not_integer'],
    ['nothing', { amount: 0 }, 400, 'amount_out_of_range'],
    ['an unknown currency', { currency: 'XXX' }, 400, 'validation_failed'],
    ['an unknown field', { amont: 1 }, 400, 'unknown_field'],
    ['an unknown field of the customer', { customer: { nmae: 'x' } }, 400, 'unknown_field'],
    ['no e-mail address', { customer: { email: 'nobody' } }, 400, 'validation_failed'],
    ['javascript', { callback_url: 'javascript:alert(1)' }, 400, 'validation_failed'],
    ['a password in the address', { callback_url: 'https://a:b@shop.example' }, 400, 'validation_failed'],
    ...[`;script-src *`, ',b', '*', `'self'`, '%3Bx'].map(
      (part) =>
        [
          `${part} in the host, which a policy would read`,
          { callback_url: `https://shop.example${part.replaceAll(' ', '')}` },
          400,
          'validation_failed',
        ] as [string, object, number, string],
    ),
    ['data', { callback_url: 'data:text/html,x' }, 400, 'validation_failed'],
    ['too short a time', { expires_in: 59 }, 400, 'validation_failed'],
    ['too long a time', { expires_in: 2_592_001 }, 400, 'validation_failed'],
    ['an unknown gateway', { gateway: 'nobody' }, 400, 'validation_failed'],
    ['an unknown wallet', { wallet_id: 'wal_01kabcdefghjkmnpqrstvwxyz0' }, 404, 'not_found'],
    ['a currency without a wallet', { currency: 'KES' }, 404, 'not_found'],
  ])('is refused with %s, and nothing is written', async (_, more, status, code) => {
    const before = await duka.totals();
    const answer = await payer.create(more);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await duka.totals()).toEqual(before);
  });

  it('is refused for a wallet of another currency, of another account, or that is closed', async () => {
    const [dollars, closed] = [await payer.api.wallet(0, 'USD'), await payer.api.wallet()];
    await payer.api.post(`/v4/wallets/${closed}/close`);
    const other = await Payer.of(duka);
    const codes = await Promise.all(
      [dollars, closed, other.wallet].map(async (wallet_id) => (await payer.create({ wallet_id })).body.code),
    );
    expect(codes).toEqual(['currency_mismatch', 'wallet_closed', 'not_found']);
  });

  it('credits the wallet that it names', async () => {
    const wallet = await payer.api.wallet();
    const { id } = await payer.asked({ wallet_id: wallet });
    await payer.complete(id, 'successful');
    expect([(await payer.api.balance(wallet)).available, await payer.balance()]).toEqual([NET, 0]);
  });

  it('is not one for another account or mode, on any route', async () => {
    const { id } = await payer.asked();
    const live = duka.api(await duka.key({ accountId: payer.account.id, livemode: true }));
    for (const api of [(await Payer.of(duka)).api, live]) {
      const answers = [
        await api.get(`/api/v1/payments/${id}`),
        await api.get(`/api/v1/payments/${id}/status`),
        await api.post(`/api/v1/payments/${id}/cancel`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect((await api.get('/api/v1/payments')).body.data).toEqual([]);
    }
  });

  it('has no gateway in live mode, and needs https there', async () => {
    const live = duka.api(await duka.key({ accountId: payer.account.id, livemode: true }));
    const ask = (more: object) => live.post('/api/v1/payments', { amount: 100, currency: 'NGN', ...more });
    expect((await ask({})).body.code).toBe('provider_unavailable');
    expect((await ask({ callback_url: 'http://shop.example/paid' })).body).toMatchObject({
      code: 'validation_failed',
      param: '/callback_url',
    });
  });
});

describe('a request that is sent again', () => {
  it('is answered with its payment', async () => {
    const first = await payer.create({ reference: 'r-1' }, 'k-1');
    const [byKey, byReference] = [
      await payer.create({ reference: 'r-1' }, 'k-1'),
      await payer.create({ reference: 'r-1' }),
    ];
    expect([byKey.status, byReference.status]).toEqual([201, 200]);
    expect([byKey.body, byReference.body]).toEqual([first.body, first.body]);
    expect(byKey.headers.get('idempotent-replayed')).toBe('true');
    expect((await payer.create({ reference: 'r-1', amount: 1 })).body).toMatchObject({
      code: 'duplicate_reference',
      resource_id: first.body.id,
    });
    expect((await payer.create({ amount: 1 }, 'k-1')).body).toMatchObject({
      code: 'idempotency_key_reused',
      resource_id: first.body.id,
    });
    expect((await payer.api.get('/v4/references/r-1')).body.resource).toMatchObject({ id: first.body.id });
  });

  it('by many at once makes one payment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => payer.create({ reference: 'once' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await payer.api.get('/api/v1/payments')).body.data).toHaveLength(1);
  });
});

it('a dry run writes nothing and shows the lines of a success', async () => {
  const before = await duka.totals();
  const { status, body } = await payer.create({ dry_run: true, reference: 'dry' }, 'dry');
  expect([status, body.id, body.checkout_url, body.fee]).toEqual([200, null, null, 1_500]);
  expect(body.ledger.map(({ amount }: any) => amount).reduce((a: number, b: number) => a + b)).toBe(0);
  expect(await duka.totals()).toEqual(before);
  expect((await payer.api.get('/api/v1/payments')).body.data).toEqual([]);
});

it('a payment is cancelled once, and not when it was paid', async () => {
  const [one, paid] = [await payer.asked(), await payer.asked()];
  expect((await payer.api.twice('POST', `/api/v1/payments/${one.id}/cancel`)).body.status).toBe('cancelled');
  await payer.complete(paid.id, 'successful');
  for (const { id } of [one, paid]) expect((await payer.api.post(`/api/v1/payments/${id}/cancel`)).status).toBe(409);
  expect(await payer.events(one.id)).toEqual(['payment.cancelled']);
});

it('how a test payment ends is decided once with a key', async () => {
  const { id } = await payer.asked();
  const { body } = await payer.api.twice('POST', `/v4/sandbox/payments/${id}/complete`, { status: 'successful' });
  expect(body).toMatchObject({ id, status: 'successful' });
  expect(await payer.events(id)).toEqual(['payment.successful']);
});

it('a list is narrowed and paged', async () => {
  const ids: string[] = [];
  for (const reference of ['a', 'b', 'c'])
    ids.unshift((await payer.asked({ reference, amount: reference === 'c' ? 200_000 : 100_000 })).id);
  await payer.complete(ids[0]!, 'successful');
  const idsOf = async (query: string) => (await payer.api.all(`/api/v1/payments?${query}`)).map(({ id }) => id);
  expect(await idsOf('limit=1')).toEqual(ids);
  expect(await idsOf('status=successful')).toEqual([ids[0]]);
  expect(await idsOf('gateway=sandbox_card')).toEqual([ids[0]]);
  expect(await idsOf('reference=b')).toEqual([ids[1]]);
  expect(await idsOf('amount_gte=200000')).toEqual([ids[0]]);
  expect(await idsOf(`wallet_id=${payer.wallet}`)).toEqual(ids);
  expect(await idsOf('wallet_id=x')).toEqual([]);
  expect(await idsOf('created_lt=2020-01-01T00:00:00Z')).toEqual([]);
});

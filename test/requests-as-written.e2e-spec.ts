import { DataSource } from 'typeorm';
import { Duka } from './support/duka';
import { Shopper } from './support/shopper';

let duka: Duka;
let shopper: Shopper;
beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  shopper = await Shopper.in(duka);
});
afterAll(() => duka.stop());

describe('a phone number as people write it', () => {
  test.each(['2348031234567', '08031234567', '8031234567', '234 803 123 4567'])(
    '%s is of the country whose money pays',
    async (phone) => {
      const { status, body } = await shopper.buy({ phone });
      expect([status, body.recipient]).toEqual([201, '+2348031234567']);
    },
  );

  test('a wallet that is named decides, a country that is named before it', async () => {
    const cedis = await shopper.account.api.wallet(100_000, 'GHS');
    const { status, body } = await shopper.buy({ phone: '0241234567', amount: 1_000, wallet_id: cedis });
    expect([status, body.recipient, body.currency]).toEqual([201, '+233241234567', 'GHS']);
    expect((await shopper.buy({ phone: '0241234567', amount: 1_000, country: 'NG' })).body.code).toBe(
      'invalid_phone_number',
    );
    expect((await shopper.buy({ phone: '0241234567', amount: 1_000 })).body.code).toBe('invalid_phone_number');
    expect((await shopper.buy({ phone: '233241234567', amount: 1_500, wallet_id: cedis })).status).toBe(201);
  });

  test('networks are read in capitals, too; data plans take numbers without +', async () => {
    expect((await shopper.buy({ network: 'MTN' })).body.details.network).toBe('mtn');
    expect((await shopper.buy({ phone: '08091234567', network: 'Etisalat' })).body.details.network).toBe('t2');
    expect((await shopper.account.api.get('/v4/data/plans?network=MTN')).body.data.length).toBeGreaterThan(0);
    const { status, body } = await shopper.account.api.post('/v4/data/purchase', {
      phone: '2348031234567',
      plan_code: 'mtn-sme-1gb-1m',
    });
    expect([status, body.recipient]).toEqual([201, '+2348031234567']);
  });
});

describe('filters of lists', () => {
  const typesOf = async (query: string) =>
    (await shopper.account.api.get(`/v4/transactions?${query}`)).body.data.map(({ type }: { type: string }) => type);

  test('take several values, by commas or repeated', async () => {
    await shopper.buy();
    expect(await typesOf('type=deposit,airtime_purchase')).toEqual(['airtime_purchase', 'deposit']);
    expect(await typesOf('type=deposit&type=airtime_purchase&status=successful,failed')).toEqual([
      'airtime_purchase',
      'deposit',
    ]);
    expect(await typesOf('type=deposit')).toEqual(['deposit']);
    const { status, body } = await shopper.account.api.get('/v4/transactions?type=deposit,theft');
    expect([status, body.errors[0].param]).toEqual([400, '/type']);
    for (const path of ['/v4/cards?status=active,frozen', '/api/v1/payments?status=pending&status=failed']) {
      expect((await shopper.account.api.get(path)).status).toBe(200);
    }
  });

  test('take plain days and offsets', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const before = new Date(Date.now() + 30 * 60_000).toISOString().slice(0, 19);
    expect(await typesOf(`created_gte=${day}`)).toEqual(['deposit']);
    expect(await typesOf(`created_lt=${day}`)).toEqual([]);
    // Half an hour from now on a clock that is an hour ahead was half an hour ago.
    expect(await typesOf(`created_lt=${encodeURIComponent(`${before}+01:00`)}`)).toEqual([]);
    expect(await typesOf(`created_lt=${before}+01:00`)).toEqual([]);
    expect(await typesOf(`created_lt=${before}-01:00`)).toEqual(['deposit']);
    for (const wrong of ['2026-02-30', '2026-2-1', '2026-01-01T00:00:00', '2026-01-01T00:00:00+25:00']) {
      expect((await shopper.account.api.get(`/v4/transactions?created_gte=${encodeURIComponent(wrong)}`)).status).toBe(
        400,
      );
    }
  });
});

describe('figures of a refusal are fields', () => {
  test('of a price and of a range', async () => {
    const { api } = shopper.account;
    const price = await api.post('/v4/data/purchase', {
      phone: '+2348031234567',
      plan_code: 'mtn-sme-1gb-1m',
      amount: 1,
    });
    expect(price.body).toMatchObject({ code: 'price_changed', expected: 59_000, actual: 1 });
    const airtime = await shopper.buy({ amount: 1 });
    const [mtn] = (await api.get('/v4/airtime/networks?country=NG')).body.data.filter(
      ({ slug }: { slug: string }) => slug === 'mtn',
    );
    expect(airtime.body).toMatchObject({
      code: 'amount_out_of_range',
      min: mtn.min_amount,
      max: mtn.max_amount,
      actual: 1,
    });
    const validated = await api.post('/v4/bills/validate', {
      biller_code: 'ikeja-electric',
      customer_identifier: '1111111111111',
      service_type: 'prepaid',
    });
    const bill = await api.post('/v4/bills/pay', {
      biller_code: 'ikeja-electric',
      customer_identifier: '1111111111111',
      amount: 1,
      validation_id: validated.body.id,
    });
    expect(bill.body).toMatchObject({ code: 'amount_out_of_range', actual: 1 });
    expect(bill.body.min).toBeLessThan(bill.body.max);
  });
});

test('meter tokens come with the answer for a key that may see them', async () => {
  await shopper.fund(2_000_000);
  const pay = async (key: string) => {
    const api = duka.api(key);
    const meter = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
    const { body } = await api.post('/v4/bills/validate', { ...meter, service_type: 'prepaid' });
    return (
      await api.post('/v4/bills/pay', { ...meter, amount: 500_000, validation_id: body.id, allow_duplicate: true })
    ).body.details.tokens[0].value as string;
  };
  expect(await pay(shopper.account.key)).toMatch(/^\d{20}$/);
  const blind = await duka.key({
    accountId: shopper.account.id,
    scopes: ['purchases:write', 'purchases:read', 'transactions:read'],
  });
  expect(await pay(blind)).not.toMatch(/^\d{20}$/);
});

test('what nobody sells is not available', async () => {
  const { api } = shopper.account;
  const db = duka.get<DataSource>(DataSource);
  const off = (product: string, isOn: boolean) =>
    db.query('UPDATE provider_routes SET enabled = $2 WHERE product = $1', [product, isOn]);
  const seen = async () => {
    const [plan] = (await api.get('/v4/data/plans?network=mtn')).body.data;
    const [biller] = (await api.get('/v4/bills/billers?category=tv')).body.data;
    const [item] = (await api.get('/v4/bills/billers/dstv/items')).body.data;
    return [plan.available, biller.available, item.available];
  };
  expect(await seen()).toEqual([true, true, true]);
  for (const product of ['data', 'bills']) await off(product, false);
  while ((await seen()).some(Boolean));
  for (const product of ['data', 'bills']) await off(product, true);
});

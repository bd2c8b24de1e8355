import { DataSource } from 'typeorm';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const FEE = 10_000;
const CARD = { biller_code: 'dstv', customer_identifier: '1212121212' };
const PUNTER = { biller_code: 'bet9ja', customer_identifier: '1212121212' };
const VIEWER = { biller_code: 'showmax', customer_identifier: '08001234100' };

let duka: Duka;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
  api = (await duka.account()).api;
  wallet = await api.wallet(200_000_000);
});
afterAll(() => duka.stop());

const validated = async (customer: object): Promise<string> => (await api.post('/v4/bills/validate', customer)).body.id;
const pay = (fields: object): Promise<Answer> =>
  api.post('/v4/bills/pay', { wallet_id: wallet, allow_duplicate: true, ...fields });
const payCard = async (fields: object): Promise<Answer> =>
  pay({ ...CARD, validation_id: await validated(CARD), ...fields });
/** Status and code of a refusal, and the field that it blames. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const edit = (statement: string) => duka.get<DataSource>(DataSource).query(statement);

async function expectRefused(payment: () => Promise<Answer>, expected: unknown[]): Promise<void> {
  const before = await duka.totals();
  expect(refusal(await payment())).toEqual(expected);
  expect(await duka.totals()).toEqual(before);
}

describe('what a payment costs', () => {
  it.each<[string, object, object]>([
    [
      'renewing a package',
      { service_type: 'renew' },
      { amount: 1_900_000, commission: 28_500, details: { item_code: 'dstv-compact', quantity: 1 } },
    ],
    [
      'renewing it for some months',
      { service_type: 'renew', quantity: 3, amount: 5_700_000 },
      { amount: 5_700_000, commission: 85_500, details: { quantity: 3 } },
    ],
    ['renewing it by its name', { service_type: 'renew', item_code: 'dstv-compact' }, { amount: 1_900_000 }],
    [
      'changing the package',
      { service_type: 'change', item_code: 'dstv-premium', amount: 4_450_000 },
      {
        amount: 4_450_000,
        total: 4_450_000 + FEE - 66_750,
        details: { item_code: 'dstv-premium', item_name: 'DStv Premium', service_type: 'change' },
      },
    ],
  ])('is the price of %s', async (_, fields, expected) => {
    const { status, body } = await payCard(fields);
    expect([status, body.status]).toEqual([201, 'successful']);
    expect(body).toMatchObject(expected);
  });

  it.each<[string, object, unknown[]]>([
    [
      'a price that is not that of the item',
      { service_type: 'change', item_code: 'dstv-premium', amount: 4_449_999 },
      [409, 'price_changed', '/amount'],
    ],
    [
      'the price of one for two',
      { service_type: 'renew', quantity: 2, amount: 1_900_000 },
      [409, 'price_changed', '/amount'],
    ],
    ['a thirteenth month', { service_type: 'renew', quantity: 13 }, [400, 'validation_failed', '/quantity']],
    ['half a month', { service_type: 'renew', quantity: 0.5 }, [400, 'validation_failed', '/quantity']],
    ['no months', { service_type: 'renew', quantity: 0 }, [400, 'validation_failed', '/quantity']],
    [
      'another package as a renewal',
      { service_type: 'renew', item_code: 'dstv-padi' },
      [400, 'validation_failed', '/item_code'],
    ],
    ['a change to nothing', { service_type: 'change' }, [400, 'validation_failed', '/item_code']],
    ['neither a renewal nor a change', { item_code: 'dstv-padi' }, [400, 'validation_failed', '/service_type']],
    [
      'a package of another biller',
      { service_type: 'change', item_code: 'gotv-max' },
      [404, 'not_found', '/item_code'],
    ],
  ])('is not %s', async (_, fields, expected) => {
    const validation_id = await validated(CARD);
    await expectRefused(() => pay({ ...CARD, validation_id, ...fields }), expected);
  });

  it.each<[string, object, unknown[]]>([
    ['left out', { amount: undefined }, [400, 'validation_failed', '/amount']],
    ['less than the biller takes', { amount: 9_999 }, [400, 'amount_out_of_range', '/amount']],
    ['more than the biller takes', { amount: 50_000_001 }, [400, 'amount_out_of_range', '/amount']],
    ['paid twice at once', { amount: 50_000, quantity: 2 }, [400, 'validation_failed', '/quantity']],
    ['half a kobo', { amount: 50_000.5 }, [400, 'amount_not_integer', '/amount']],
  ])('is not an amount that is %s', async (_, fields, expected) => {
    await expectRefused(() => pay({ ...PUNTER, ...fields }), expected);
  });

  it('covers arrears at least', async () => {
    const customer = { biller_code: 'enugu-electric', customer_identifier: '2222222222222', service_type: 'prepaid' };
    const validation_id = await validated(customer);
    await expectRefused(
      () => pay({ ...customer, validation_id, amount: 399_999 }),
      [400, 'amount_out_of_range', '/amount'],
    );
    expect((await pay({ ...customer, validation_id, amount: 400_000 })).body.status).toBe('successful');
  });

  it('follows the catalogue from one payment to the next', async () => {
    await edit(`UPDATE biller_items SET amount = 350001 WHERE code = 'showmax-entertainment'`);
    await edit(`UPDATE biller_items SET enabled = false WHERE code = 'showmax-mobile'`);
    expect(refusal(await pay({ ...VIEWER, item_code: 'showmax-entertainment', amount: 350_000 }))).toEqual([
      409,
      'price_changed',
      '/amount',
    ]);
    expect((await pay({ ...VIEWER, item_code: 'showmax-entertainment' })).body).toMatchObject({
      amount: 350_001,
      commission: 5_250,
      status: 'successful',
    });
    expect(refusal(await pay({ ...VIEWER, item_code: 'showmax-mobile' }))).toEqual([
      409,
      'plan_inactive',
      '/item_code',
    ]);
    await edit(`UPDATE billers SET enabled = false WHERE code = 'showmax'`);
    expect(refusal(await pay({ ...VIEWER, item_code: 'showmax-entertainment' }))).toEqual([
      503,
      'provider_unavailable',
      null,
    ]);
  });
});

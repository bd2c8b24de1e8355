import { DataSource } from 'typeorm';
import { Clock } from '../src/core/clock/clock';
import { decodeId } from '../src/core/http/ids';
import { SandboxBillers } from '../src/modules/bills/providers/sandbox/sandbox-billers.service';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';

const BILLERS = [
  '1xbet',
  'aba-electric',
  'abuja-electric',
  'benin-electric',
  'bet9ja',
  'dstv',
  'eko-electric',
  'enugu-electric',
  'gotv',
  'ibadan-electric',
  'ikeja-electric',
  'jamb',
  'jos-electric',
  'kaduna-electric',
  'kano-electric',
  'portharcourt-electric',
  'showmax',
  'smile',
  'spectranet',
  'sportybet',
  'startimes',
  'waec-registration',
  'waec-result',
  'yola-electric',
];
const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };

let duka: Duka;
let account: TestAccount;
let api: Api;

beforeAll(async () => {
  duka = await Duka.start();
  account = await duka.account();
  api = account.api;
});
afterAll(() => duka.stop());

const validate = (fields: object = {}, options?: object): Promise<Answer> =>
  api.post('/v4/bills/validate', { ...METER, ...fields }, options);
const codesOf = ({ body }: Answer): string[] => body.data.map(({ code }: { code: string }) => code);
/** Status and code of a refusal, and the field that it blames. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const edit = (statement: string) => duka.get<DataSource>(DataSource).query(statement);

describe('the catalogue of bills', () => {
  it('has the categories and the billers of Nigeria', async () => {
    expect(codesOf(await api.get('/v4/bills/categories'))).toEqual([
      'electricity',
      'tv',
      'internet',
      'education',
      'betting',
    ]);
    expect(codesOf(await api.get('/v4/bills/billers?limit=100'))).toEqual(BILLERS);
    expect(codesOf(await api.get('/v4/bills/billers?category=tv&country=NG'))).toEqual([
      'dstv',
      'gotv',
      'showmax',
      'startimes',
    ]);
    expect(codesOf(await api.get('/v4/bills/billers?country=GH'))).toEqual([]);
    expect(codesOf(await api.get('/v4/bills/billers?category=horoscopes'))).toEqual([]);
  });

  it('tells what a payment to a biller takes', async () => {
    const { body } = await api.get('/v4/bills/billers?limit=100');
    const biller = (code: string) => body.data.find((one: { code: string }) => one.code === code);
    expect(biller('ikeja-electric')).toEqual({
      object: 'biller',
      code: 'ikeja-electric',
      name: 'Ikeja Electric',
      category: 'electricity',
      country: 'NG',
      currency: 'NGN',
      customer_field: { label: 'Meter or account number', pattern: '^\\d{10,13}$' },
      validation_required: true,
      service_types: ['prepaid', 'postpaid'],
      min_amount: 50_000,
      max_amount: 50_000_000,
      fee: 10_000,
      commission_bps: 0,
      available: true,
    });
    expect(biller('dstv')).toMatchObject({
      commission_bps: 150,
      service_types: ['renew', 'change'],
      validation_required: true,
    });
    const unchecked = body.data
      .filter((one: { validation_required: boolean }) => !one.validation_required)
      .map(({ code }: { code: string }) => code);
    expect(unchecked).toEqual([
      '1xbet',
      'bet9ja',
      'showmax',
      'smile',
      'spectranet',
      'sportybet',
      'waec-registration',
      'waec-result',
    ]);
  });

  it('pages billers and items in a steady order', async () => {
    expect((await api.all('/v4/bills/billers?limit=7')).map(({ code }) => code)).toEqual(BILLERS);
    const items = await api.all('/v4/bills/billers/dstv/items?limit=2');
    expect(items.map(({ code, amount }) => [code, amount]).slice(0, 4)).toEqual([
      ['dstv-padi', 440_000],
      ['dstv-yanga', 600_000],
      ['dstv-confam', 1_100_000],
      ['dstv-compact', 1_900_000],
    ]);
    expect(items).toEqual((await api.get('/v4/bills/billers/dstv/items')).body.data);
    const { next_cursor: cursor } = (await api.get('/v4/bills/billers/dstv/items?limit=2')).body;
    expect(refusal(await api.get(`/v4/bills/billers/gotv/items?cursor=${cursor}`))).toEqual([
      400,
      'invalid_cursor',
      '/cursor',
    ]);
  });

  it('lists what a biller sells, at fixed prices or any amount in a range', async () => {
    const [compact] = (await api.get('/v4/bills/billers/dstv/items')).body.data.filter(
      ({ code }: { code: string }) => code === 'dstv-compact',
    );
    expect(compact).toEqual({
      object: 'biller_item',
      code: 'dstv-compact',
      name: 'DStv Compact',
      biller_code: 'dstv',
      amount_type: 'fixed',
      amount: 1_900_000,
      min_amount: null,
      max_amount: null,
      currency: 'NGN',
      service_type: null,
      max_quantity: 12,
      available: true,
    });
    expect((await api.get('/v4/bills/billers/bet9ja/items')).body.data).toEqual([
      expect.objectContaining({
        code: 'bet9ja-wallet',
        amount_type: 'range',
        amount: null,
        min_amount: 10_000,
        max_amount: 50_000_000,
        max_quantity: 1,
      }),
    ]);
    for (const code of ['nobody', '%00', "'"])
      expect((await api.get(`/v4/bills/billers/${code}/items`)).status).toBe(404);
  });

  it('sells something of every biller', async () => {
    for (const code of BILLERS) expect((await api.get(`/v4/bills/billers/${code}/items`)).body.data).not.toEqual([]);
  });

  it('shows what an operator changed', async () => {
    await edit(
      `UPDATE billers SET enabled = false, name = 'Jos Power', commission_bps = 75 WHERE code = 'jos-electric'`,
    );
    await edit(`UPDATE biller_items SET enabled = false, amount = 1 WHERE code = 'startimes-chinese'`);
    const [jos] = (await api.get('/v4/bills/billers?limit=100')).body.data.filter(
      ({ code }: { code: string }) => code === 'jos-electric',
    );
    expect(jos).toMatchObject({ name: 'Jos Power', available: false, commission_bps: 75 });
    expect((await api.get('/v4/bills/billers/startimes/items')).body.data.at(-1)).toMatchObject({
      code: 'startimes-chinese',
      amount: 1,
      available: false,
    });
    expect(refusal(await validate({ biller_code: 'jos-electric' }))).toEqual([503, 'provider_unavailable', null]);
  });

  it('is available to nobody in live mode, where no provider is', async () => {
    const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    const { body } = await live.get('/v4/bills/billers?limit=100');
    expect(body.data).toHaveLength(BILLERS.length);
    expect(body.data.some(({ available }: { available: boolean }) => available)).toBe(false);
    expect(refusal(await live.post('/v4/bills/validate', METER))).toEqual([503, 'provider_unavailable', null]);
  });
});

describe('the validation of a customer', () => {
  it('says who the customer is', async () => {
    const { status, body } = await validate({ item_code: 'prepaid' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'bill_validation',
      id: expect.stringMatching(/^val_/),
      biller_code: 'ikeja-electric',
      item_code: 'prepaid',
      customer_identifier: '1111111111111',
      service_type: 'prepaid',
      customer_name: 'Adaeze Okafor',
      address: '12 Allen Avenue, Ikeja',
      arrears: 0,
      min_amount: 50_000,
      max_amount: 50_000_000,
      current_plan: null,
      renewal_amount: null,
      currency: 'NGN',
      livemode: false,
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBeGreaterThanOrEqual(15 * 60_000);
  });

  it.each<[string, object, object]>([
    [
      'a postpaid account',
      { customer_identifier: '1010101010101', service_type: 'postpaid' },
      { customer_name: 'Ibrahim Musa', service_type: 'postpaid' },
    ],
    [
      'the item of a service type',
      { service_type: undefined, item_code: 'prepaid' },
      { service_type: 'prepaid', customer_name: 'Adaeze Okafor' },
    ],
    ['arrears', { customer_identifier: '2222222222222' }, { arrears: 350_000, min_amount: 400_000 }],
    ['a meter that cannot vend', { customer_identifier: '3333333333333' }, { customer_name: 'Funmilayo Ade' }],
    [
      'a smartcard',
      { biller_code: 'dstv', customer_identifier: '1212121212', service_type: undefined },
      { service_type: null, arrears: null, current_plan: 'dstv-compact', renewal_amount: 1_900_000 },
    ],
    [
      'a JAMB profile',
      { biller_code: 'jamb', customer_identifier: '0123456789', service_type: undefined },
      { customer_name: 'Tunde Bakare', current_plan: null },
    ],
    [
      'a customer who need not be validated',
      { biller_code: 'bet9ja', customer_identifier: '1212121212', service_type: undefined },
      { customer_name: 'Ngozi Bello' },
    ],
  ])('knows %s', async (_, fields, expected) => {
    const { status, body } = await validate(fields);
    expect(status).toBe(201);
    expect(body).toMatchObject(expected);
  });

  it.each<[string, object, unknown[]]>([
    [
      'a customer that the biller does not know',
      { customer_identifier: '5555555555555' },
      [422, 'customer_not_found', '/customer_identifier'],
    ],
    [
      'a prepaid meter as a postpaid account',
      { service_type: 'postpaid' },
      [422, 'customer_not_found', '/customer_identifier'],
    ],
    [
      'a smartcard of electricity',
      { customer_identifier: '1212121212' },
      [422, 'customer_not_found', '/customer_identifier'],
    ],
    ['a biller that does not answer', { customer_identifier: '4444444444444' }, [503, 'provider_unavailable', null]],
    ['a number that no meter has', { customer_identifier: '12ab' }, [400, 'validation_failed', '/customer_identifier']],
    ['a meter without a service type', { service_type: undefined }, [400, 'validation_failed', '/service_type']],
    ['a service type of another biller', { service_type: 'renew' }, [400, 'validation_failed', '/service_type']],
    [
      'a service type where there is none',
      { biller_code: 'jamb', customer_identifier: '0123456789' },
      [400, 'validation_failed', '/service_type'],
    ],
    ['an item of another service type', { item_code: 'postpaid' }, [400, 'validation_failed', '/service_type']],
    ['an unknown biller', { biller_code: 'moon-electric' }, [404, 'not_found', '/biller_code']],
    ['an unknown item', { item_code: 'dstv-compact' }, [404, 'not_found', '/item_code']],
    ['an unknown field', { meter: '1' }, [400, 'unknown_field', '/meter']],
  ])('refuses %s', async (_, fields, expected) => {
    const before = await duka.totals();
    expect(refusal(await validate(fields, { key: 'refused' }))).toEqual(expected);
    expect(await duka.totals()).toEqual(before);
  });

  it('is made once for a key, and shown where its key is asked about', async () => {
    const first = await validate({}, { key: 'v-1' });
    const again = await validate({}, { key: 'v-1' });
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect(refusal(await validate({ customer_identifier: '2222222222222' }, { key: 'v-1' }))).toEqual([
      422,
      'idempotency_key_reused',
      null,
    ]);
    expect((await api.get('/v4/idempotency/v-1')).body).toMatchObject({ status: 'completed', resource: first.body });
    const twins = await Promise.all(Array.from({ length: 5 }, () => validate({}, { key: 'v-2' })));
    expect(new Set(twins.map(({ body }) => body.id)).size).toBe(1);
  });

  it('does not ask the biller again for a key that was used', async () => {
    const first = await validate({}, { key: 'v-3' });
    const asked = jest.spyOn(duka.get<SandboxBillers>(SandboxBillers), 'validate');
    expect((await validate({}, { key: 'v-3' })).body).toEqual(first.body);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it('asks another provider when one does not answer, and no longer than it must', async () => {
    const asked = jest.spyOn(duka.get<SandboxBillers>(SandboxBillers), 'validate');
    asked.mockImplementationOnce(() => {
      throw new Error('torn');
    });
    expect((await validate()).status).toBe(201);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it('expires by the clock of the account', async () => {
    const mine = await duka.account();
    await duka.get<Clock>(Clock).advance(decodeId('acct', mine.id)!, 3_600_000, NO_CLAIM);
    const { body } = await mine.api.post('/v4/bills/validate', METER);
    const minutesAfter = (time: number) => Math.round((Date.parse(body.expires_at) - time) / 60_000);
    expect([minutesAfter(Date.parse(body.created_at)), minutesAfter(Date.now())]).toEqual([15, 75]);
  });
});

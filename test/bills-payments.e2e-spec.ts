import { Clock } from '../src/core/clock/clock';
import { decodeId } from '../src/core/http/ids';
import { CatalogueService } from '../src/modules/bills/catalogue.service';
import { SandboxBillers } from '../src/modules/bills/providers/sandbox/sandbox-billers.service';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';

const FEE = 10_000;
const FUNDS = 200_000_000;
const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
const PUNTER = { biller_code: 'bet9ja', customer_identifier: '1212121212' };
const PHONE = { biller_code: 'waec-result', customer_identifier: '08001234100' };

let duka: Duka;
let account: TestAccount;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  account = await duka.account();
  api = account.api;
  wallet = await api.wallet(FUNDS);
});
afterAll(() => duka.stop());

const validated = async (customer: object, as = api): Promise<string> => {
  const { status, body } = await as.post('/v4/bills/validate', customer);
  expect(status).toBe(201);
  return body.id;
};
const pay = (fields: object, options?: object): Promise<Answer> =>
  api.post('/v4/bills/pay', { wallet_id: wallet, ...fields }, options);
const payMeter = async (fields: object = {}, options?: object): Promise<Answer> =>
  pay(
    { ...METER, amount: 500_000, validation_id: await validated({ ...METER, service_type: 'prepaid' }), ...fields },
    options,
  );
/** Status and code of a refusal, and the field that it blames. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const advance = (ms: number) => duka.get<Clock>(Clock).advance(decodeId('acct', account.id)!, ms, NO_CLAIM);

async function expectRefused(payment: () => Promise<Answer>, expected: unknown[]): Promise<void> {
  const before = await duka.totals();
  expect(refusal(await payment())).toEqual(expected);
  expect(await duka.totals()).toEqual(before);
}

describe('a payment', () => {
  const switched = (on: boolean) => duka.get<CatalogueService>(CatalogueService).setEnabled(METER.biller_code, on);
  const sold = (on: boolean) =>
    duka.asOwner('UPDATE biller_items SET enabled = $1 WHERE biller_code = $2', [on, METER.biller_code]);

  it.each([
    ['its biller is switched off', switched],
    ['its item is off sale', sold],
  ])('that waited for money waits on while %s', async (_, set) => {
    const poor = await api.wallet();
    const deliver_by = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await payMeter({ wallet_id: poor, on_insufficient_funds: 'queue', deliver_by });
    const status = async () => (await api.get(`/v4/transactions/${body.id}`)).body.status as string;
    const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
    await set(false);
    await api.credit(poor, FUNDS);
    await waiting.payAll();
    expect(await status()).toBe('pending');
    await set(true);
    await waiting.payAll();
    await until(async () => (await status()) === 'successful');
  });

  it('buys a meter token for the amount and a fee', async () => {
    const { status, body } = await payMeter({ metadata: { order: '7' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'bill_payment',
      status: 'successful',
      direction: 'debit',
      wallet_id: wallet,
      recipient: '1111111111111',
      amount: 500_000,
      fee: FEE,
      commission: 0,
      total: 500_000 + FEE,
      currency: 'NGN',
      metadata: { order: '7' },
      provider: { name: 'sandbox', attempts: 1 },
      details: {
        biller_code: 'ikeja-electric',
        biller_name: 'Ikeja Electric',
        item_code: 'prepaid',
        customer_identifier: '1111111111111',
        customer_name: 'Adaeze Okafor',
        service_type: 'prepaid',
        quantity: 1,
        receipt_number: expect.stringMatching(/^SBX-\d{10}$/),
        pins: [],
      },
    });
    expect(await api.balance(wallet)).toMatchObject({ available: FUNDS - 500_000 - FEE, held: 0 });
  });

  it.each([
    ['500000', ['credit']],
    ['1000000', ['credit', 'bonus']],
    ['500011', ['credit', 'key_change_1', 'key_change_2']],
    ['2000011', ['credit', 'bonus', 'key_change_1', 'key_change_2']],
  ])('of %s brings its tokens', async (amount, kinds) => {
    const {
      body: { details },
    } = await payMeter({ amount: Number(amount) });
    expect(details.tokens.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect(details.tokens.every(({ value }: { value: string }) => /^\d{20}$/.test(value))).toBe(true);
    expect(details.tokens[0].units).toMatch(/^\d+\.\d kWh$/);
  });

  it('of a postpaid bill brings a receipt and nothing else', async () => {
    const customer = { biller_code: 'kaduna-electric', customer_identifier: '1010101010101', service_type: 'postpaid' };
    const { body } = await pay({ ...customer, amount: 750_000, validation_id: await validated(customer) });
    expect(body).toMatchObject({
      status: 'successful',
      details: { item_code: 'postpaid', service_type: 'postpaid', tokens: [], pins: [] },
    });
    expect(body.details.receipt_number).not.toBeNull();
  });

  it('is answered with the first one when it is repeated, whatever has changed since', async () => {
    const validation_id = await validated({ ...METER, service_type: 'prepaid' });
    const order = { ...METER, wallet_id: wallet, amount: 500_000, validation_id, reference: 'bill-1' };
    const first = await api.post('/v4/bills/pay', order, { key: 'bill-1' });
    await advance(16 * 60_000);
    const [byKey, byReference] = [
      await api.post('/v4/bills/pay', order, { key: 'bill-1' }),
      await api.post('/v4/bills/pay', order),
    ];
    expect([byKey.status, byKey.headers.get('idempotent-replayed'), byKey.body]).toEqual([201, 'true', first.body]);
    expect([byReference.status, byReference.headers.get('idempotent-replayed'), byReference.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect(refusal(await api.post('/v4/bills/pay', { ...order, amount: 1 }, { key: 'bill-1' }))).toEqual([
      422,
      'idempotency_key_reused',
      null,
    ]);
    expect(refusal(await api.post('/v4/bills/pay', { ...order, reference: 'bill-2' }))).toEqual([
      409,
      'validation_expired',
      '/validation_id',
    ]);
  });

  it('can be tried without paying', async () => {
    const validation_id = await validated({ ...METER, service_type: 'prepaid' });
    const before = await duka.totals();
    const { status, body } = await pay({ ...METER, amount: 500_000, validation_id, dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: null,
      status: 'pending',
      total: 510_000,
      details: { customer_name: 'Adaeze Okafor', receipt_number: null, tokens: [] },
    });
    expect(body.ledger[0]).toMatchObject({ wallet_id: wallet, amount: -510_000 });
    expect(await duka.totals()).toEqual(before);
  });

  it('finds nobody to carry it out in live mode', async () => {
    const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    await expectRefused(
      () => live.post('/v4/bills/pay', { ...PUNTER, amount: 50_000 }),
      [503, 'provider_unavailable', null],
    );
  });
});

describe('the validation of a payment', () => {
  it.each<[string, object, unknown[]]>([
    ['is left out', { validation_id: null }, [400, 'validation_failed', '/validation_id']],
    ['is none', { validation_id: 'val_01kabcdefghjkmnpqrstvwxyz0' }, [404, 'not_found', '/validation_id']],
    ['is an id of something else', { validation_id: 'nonsense' }, [404, 'not_found', '/validation_id']],
    ['is of another biller', { biller_code: 'eko-electric' }, [422, 'validation_mismatch', '/biller_code']],
    [
      'is of another customer',
      { customer_identifier: '2222222222222' },
      [422, 'validation_mismatch', '/customer_identifier'],
    ],
    ['is of another service type', { service_type: 'postpaid' }, [422, 'validation_mismatch', '/service_type']],
    [
      'is of another service type than the item',
      { item_code: 'postpaid' },
      [422, 'validation_mismatch', '/service_type'],
    ],
  ])('is refused when it %s', async (_, fields, expected) => {
    const validation_id = await validated({ ...METER, service_type: 'prepaid' });
    await expectRefused(() => pay({ ...METER, amount: 500_000, validation_id, ...fields }), expected);
  });

  it('is known to its own account only', async () => {
    const others = await validated({ ...METER, service_type: 'prepaid' }, (await duka.account()).api);
    await expectRefused(
      () => pay({ ...METER, amount: 500_000, validation_id: others }),
      [404, 'not_found', '/validation_id'],
    );
  });

  it('is good for 15 minutes of the clock of the account', async () => {
    const validation_id = await validated({ ...METER, service_type: 'prepaid' });
    await advance(14 * 60_000);
    expect((await pay({ ...METER, amount: 500_000, validation_id })).status).toBe(201);
    await advance(60_000);
    await expectRefused(
      () => pay({ ...METER, amount: 600_000, validation_id }),
      [409, 'validation_expired', '/validation_id'],
    );
  });

  it('is checked where a biller does not ask for it, too', async () => {
    const validation_id = await validated(PUNTER);
    expect((await pay({ ...PUNTER, amount: 50_000, validation_id })).body.details.customer_name).toBe('Ngozi Bello');
    expect((await pay({ ...PUNTER, amount: 60_000 })).body.details.customer_name).toBeNull();
    await expectRefused(
      () => pay({ ...PUNTER, biller_code: '1xbet', amount: 50_000, validation_id }),
      [422, 'validation_mismatch', '/biller_code'],
    );
  });
});

describe('the magic customers', () => {
  it('do what the table says of them', async () => {
    for (const { customer, validation, example, final } of duka.get<SandboxBillers>(SandboxBillers).customers()) {
      const about = {
        biller_code: example.biller_code,
        customer_identifier: customer,
        service_type: example.service_type,
      };
      const asked = await api.post('/v4/bills/validate', about);
      expect([customer, asked.status]).toEqual([
        customer,
        { found: 201, not_found: 422, unavailable: 503 }[validation],
      ]);
      const { body } = await pay({
        ...about,
        ...example,
        ...(asked.status === 201 && { validation_id: asked.body.id }),
      });
      if (body.status === 'processing') await advance(60_000);
      if (body.status === 'processing') await api.post(`/v4/transactions/${body.id}/requery`);
      const ended = (await api.get(`/v4/transactions/${body.id}`)).body;
      expect([customer, ended.status, ended.failure?.code ?? undefined, ended.provider.attempts]).toEqual([
        customer,
        final.status,
        final.failure,
        final.attempts,
      ]);
    }
  });

  it('who cannot be served get the money back, with the reason', async () => {
    const customer = { biller_code: 'ibadan-electric', customer_identifier: '3333333333333', service_type: 'prepaid' };
    const { status, body } = await pay({ ...customer, amount: 500_000, validation_id: await validated(customer) });
    expect([status, body.status]).toEqual([201, 'failed']);
    expect(body.failure).toEqual({
      code: 'cannot_vend',
      stage: 'provider',
      recovery: 'recipient_must_act',
      message: 'The biller cannot sell to this customer.',
    });
    expect(body.details).toMatchObject({ tokens: [], receipt_number: null });
    expect(await api.balance(wallet)).toMatchObject({ available: FUNDS, held: 0 });
  });

  it('whose biller does not answer are processing until a requery', async () => {
    const { status, body } = await pay({ biller_code: 'bet9ja', customer_identifier: '4444444444444', amount: 50_000 });
    expect([status, body.status]).toEqual([202, 'processing']);
    expect(await api.balance(wallet)).toMatchObject({ available: FUNDS - 60_000, held: 60_000 });
    const { body: ended } = await api.post(`/v4/transactions/${body.id}/requery`);
    expect(ended).toMatchObject({
      status: 'failed',
      failure: { code: 'biller_unreachable', recovery: 'retry_later', message: 'The biller could not be reached.' },
    });
  });

  it('of phone billers behave like sandbox phones', async () => {
    const { body } = await pay({ ...PHONE, customer_identifier: '08001234102' });
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'invalid_recipient' } });
    expect((await pay({ ...PHONE, customer_identifier: '08001234105' })).body).toMatchObject({
      status: 'successful',
      provider: { name: 'sandbox_backup', attempts: 2 },
    });
  });

  it('give way to the scenario of a request', async () => {
    const headers = { 'x-sandbox-scenario': 'outcome=delivered' };
    expect((await pay({ ...PUNTER, customer_identifier: '77777', amount: 50_000 }, { headers })).body.status).toBe(
      'successful',
    );
    expect(
      (await payMeter({}, { headers: { 'x-sandbox-scenario': 'outcome=failed; code=tariff_closed' } })).body.failure
        .code,
    ).toBe('tariff_closed');
  });
});

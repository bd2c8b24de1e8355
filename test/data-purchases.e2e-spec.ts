import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const PLAN = 'mtn-sme-1gb-1m';
const PRICE = 59_000;
/** 150 basis points of the price. */
const COMMISSION = 885;

/** What the postings of a transaction book on the platform's accounts. */
const PLATFORM_LINES = `
  SELECT a.name, e.amount::integer FROM ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
   WHERE e.transaction_id IS NULL AND e.posting_id IN (SELECT posting_id FROM ledger_entries WHERE transaction_id = $1) ORDER BY a.name`;

let duka: Duka;
let api: Api;
let wallet: string;
let numbers = 0;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  api = (await duka.account()).api;
  wallet = await api.wallet(1_000_000);
});
afterAll(() => duka.stop());

/** A sandbox number nobody has used, with the outcome `YZ`. */
const sandboxPhone = (outcome = '00'): string => `+234800${String(++numbers).padStart(4, '0')}1${outcome}`;
const buy = (fields: object = {}, options?: object): Promise<Answer> =>
  api.post('/v4/data/purchase', { phone: sandboxPhone(), plan_code: PLAN, wallet_id: wallet, ...fields }, options);
const edit = (set: string, planCode = PLAN) =>
  duka.get<DataSource>(DataSource).query(`UPDATE data_plans SET ${set} WHERE plan_code = $1`, [planCode]);
/** Status and code of a refusal, and the field that it blames. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const available = async (): Promise<number> => (await api.balance(wallet)).available;

async function expectNothingWritten(refused: () => Promise<Answer>, expected: unknown[]): Promise<void> {
  const before = await duka.totals();
  expect(refusal(await refused())).toEqual(expected);
  expect(await duka.totals()).toEqual(before);
}

describe('a purchase of data', () => {
  it.each([
    ['its plan is off sale', 'active = false', 'active = true'],
    ['its plan costs more', `price = ${PRICE + 1}`, `price = ${PRICE - 1}`],
  ])('that waited for money waits on while %s', async (_, off, on) => {
    const poor = await api.wallet();
    const deliver_by = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await buy({ wallet_id: poor, on_insufficient_funds: 'queue', deliver_by });
    const shown = async () => (await api.get(`/v4/transactions/${body.id}`)).body;
    const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
    await edit(off);
    await api.credit(poor, 1_000_000);
    await waiting.payAll();
    expect((await shown()).status).toBe('pending');
    await edit(on);
    await waiting.payAll();
    await until(async () => (await shown()).status === 'successful');
    expect(await shown()).toMatchObject({ amount: PRICE, total: PRICE - COMMISSION });
    await edit(`price = ${PRICE}`);
  });

  it('costs the price less the commission, and tells what was bought', async () => {
    const phone = sandboxPhone();
    const { status, body } = await buy({ phone, amount: PRICE, metadata: { order: '7' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'data_purchase',
      status: 'successful',
      direction: 'debit',
      wallet_id: wallet,
      recipient: phone,
      amount: PRICE,
      fee: 0,
      commission: COMMISSION,
      total: PRICE - COMMISSION,
      currency: 'NGN',
      balance_before: 1_000_000,
      balance_after: 1_000_000 - PRICE + COMMISSION,
      metadata: { order: '7' },
      details: {
        phone,
        network: 'mtn',
        plan_code: PLAN,
        plan_name: 'MTN SME 1 GB, 1 month',
        data_bytes: 1024 ** 3,
        validity: { quantity: 1, unit: 'month' },
      },
      provider: { name: 'sandbox', attempts: 1 },
    });
    expect(await api.balance(wallet)).toMatchObject({
      available: 1_000_000 - PRICE + COMMISSION,
      held: 0,
      ledger: 1_000_000 - PRICE + COMMISSION,
    });
    expect((await api.get(`/v4/transactions/${body.id}`)).body).toEqual(body);
    const lines = await duka.get<DataSource>(DataSource).query(PLATFORM_LINES, [decodeId('txn', body.id)]);
    expect(lines).toEqual([
      { name: 'commissions', amount: -COMMISSION },
      { name: 'provider_float:sandbox', amount: PRICE },
    ]);
  });

  it('rounds the commission down to whole minor units', async () => {
    await edit('price = 19999, commission_bps = 333', 't2-sme-1gb-1m');
    expect((await buy({ plan_code: 't2-sme-1gb-1m' })).body).toMatchObject({
      amount: 19_999,
      commission: 665,
      total: 19_334,
    });
    await edit('commission_bps = 0', 't2-sme-1gb-1m');
    expect((await buy({ plan_code: 't2-sme-1gb-1m' })).body).toMatchObject({
      amount: 19_999,
      commission: 0,
      total: 19_999,
    });
  });

  it('sells plans of other countries in their currency', async () => {
    const shillings = await api.wallet(100_000, 'KES');
    const { status, body } = await buy({
      phone: '0712345678',
      plan_code: 'ke-safaricom-direct-2gb-1w',
      wallet_id: shillings,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      recipient: '+254712345678',
      currency: 'KES',
      amount: 25_000,
      commission: 750,
      details: { network: 'safaricom', network_source: 'prefix' },
    });
  });

  it('goes to the second provider when the first one refuses, and gives the money back when no one delivers', async () => {
    const { status, body } = await buy({ phone: sandboxPhone('04') });
    expect([status, body.status, body.failure.code]).toEqual([201, 'failed', 'operator_unavailable']);
    expect(await available()).toBe(1_000_000);
    expect((await buy({ phone: sandboxPhone('05') })).body).toMatchObject({
      status: 'successful',
      provider: { name: 'sandbox_backup', attempts: 2 },
    });
  });

  it('answers 202 with the money on hold while nobody knows how it ends', async () => {
    const { status, body } = await buy({ phone: sandboxPhone('11') });
    expect([status, body.status, body.completed_at]).toEqual([202, 'processing', null]);
    expect(await api.balance(wallet)).toMatchObject({
      available: 1_000_000 - PRICE + COMMISSION,
      held: PRICE - COMMISSION,
      ledger: 1_000_000,
    });
  });

  it('needs the money', async () => {
    const poor = await api.wallet(PRICE - COMMISSION - 1);
    await expectNothingWritten(() => buy({ wallet_id: poor }), [402, 'insufficient_funds', expect.anything()]);
    await api.credit(poor, 1);
    expect((await buy({ wallet_id: poor })).status).toBe(201);
    expect(await api.balance(poor)).toMatchObject({ available: 0, held: 0, ledger: 0 });
  });

  it('is refused in live mode while nobody sells there', async () => {
    const live = duka.api(await duka.key({ accountId: (await duka.account()).id, livemode: true }));
    const refused = await live.post('/v4/data/purchase', { phone: '+2348031234567', plan_code: PLAN });
    expect([refused.status, refused.body.code]).toEqual([503, 'provider_unavailable']);
  });
});

describe('the plan', () => {
  it.each([['mtn-nothing-like-it'], ['MTN-SME-1GB-1M'], ["' OR 1=1 --"]])('has to exist: %j', async (code) => {
    await expectNothingWritten(() => buy({ plan_code: code }), [404, 'not_found', '/plan_code']);
  });

  it('has to be on sale, from the moment of the edit', async () => {
    const code = 'glo-sme-1gb-1m';
    expect((await buy({ plan_code: code })).status).toBe(201);
    await edit('active = false', code);
    await expectNothingWritten(() => buy({ plan_code: code }), [409, 'plan_inactive', '/plan_code']);
  });

  it('has to cost what the caller expects, from the moment of the edit', async () => {
    const code = 'glo-sme-5gb-1m';
    expect((await buy({ plan_code: code, amount: 220_000 })).status).toBe(201);
    await edit('price = 225000', code);
    await expectNothingWritten(() => buy({ plan_code: code, amount: 220_000 }), [409, 'price_changed', '/amount']);
    expect((await buy({ plan_code: code, amount: 220_000 })).body.detail).toContain('225000');
    for (const amount of [225_000, null]) expect((await buy({ plan_code: code, amount })).body.amount).toBe(225_000);
  });
});

describe('the number', () => {
  const MTN = '+2348031234567';
  const GLO = '+2348051234567';

  it.each([
    ['a number of the range of the network', { phone: MTN }, { recipient: MTN, details: { network_source: 'prefix' } }],
    ['a local number', { phone: '0803 123 4567' }, { recipient: MTN, details: { network_source: 'prefix' } }],
    ['a network by its slug', { phone: MTN, network: 'mtn' }, { recipient: MTN, details: { network_source: 'given' } }],
    [
      'a ported number where the caller insists',
      { phone: GLO, on_network_mismatch: 'use_given' },
      { recipient: GLO, details: { network: 'mtn', network_source: 'given' } },
    ],
    [
      'the plan of an alias',
      { phone: '+2348091234567', plan_code: 't2-direct-100mb-1d', network: '9mobile' },
      { details: { network: 't2' } },
    ],
  ])('may be %s', async (_, fields, expected) => {
    const { status, body } = await buy(fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'successful', ...expected });
  });

  it.each([
    ['of another network', { phone: GLO }, [422, 'network_mismatch', '/phone']],
    [
      'of another network, when the number decides',
      { phone: GLO, on_network_mismatch: 'use_detected' },
      [422, 'network_mismatch', '/phone'],
    ],
    ['that was ported', { phone: '+2348009999113' }, [422, 'network_mismatch', '/phone']],
    ['of another country', { phone: '+233241234567' }, [422, 'network_mismatch', '/phone']],
    [
      'of another country, whatever the caller insists on',
      { phone: '+233241234567', on_network_mismatch: 'use_given' },
      [422, 'network_mismatch', '/phone'],
    ],
    ["of a network that is not the plan's", { phone: GLO, network: 'glo' }, [422, 'network_mismatch', '/network']],
    [
      "of a network that is not the plan's, by insistence",
      { phone: GLO, network: 'glo', on_network_mismatch: 'use_given' },
      [422, 'network_mismatch', '/network'],
    ],
    ['of a network that there is not', { network: 'nobody' }, [422, 'network_mismatch', '/network']],
    ['that cannot exist', { phone: '+2348' }, [400, 'invalid_phone_number', '/phone']],
    [
      'that is not of the country that is named',
      { phone: MTN, country: 'GH' },
      [400, 'invalid_phone_number', '/phone'],
    ],
    ['', { phone: '' }, [400, 'invalid_phone_number', '/phone']],
  ])('must not be one %s', async (_, fields, expected) => {
    await expectNothingWritten(() => buy(fields), expected);
  });
});

describe('a request', () => {
  it('is tried out by a dry run', async () => {
    const phone = sandboxPhone();
    const before = await duka.totals();
    const { status, body } = await buy({ phone, dry_run: true, reference: 'dry' }, { key: 'dry' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: null,
      amount: PRICE,
      commission: COMMISSION,
      total: PRICE - COMMISSION,
      details: { plan_code: PLAN },
    });
    const lines = body.ledger.map(({ wallet_id, bucket, amount }: Record<string, unknown>) => [
      wallet_id,
      bucket,
      amount,
    ]);
    expect(lines).toEqual([
      [wallet, 'available', COMMISSION - PRICE],
      [wallet, 'held', PRICE - COMMISSION],
    ]);
    expect(await duka.totals()).toEqual(before);
    await expectNothingWritten(() => buy({ dry_run: true, amount: 1 }), [409, 'price_changed', '/amount']);
    expect((await buy({ phone, reference: 'dry' }, { key: 'dry' })).status).toBe(201);
  });

  it('that is repeated with its key or reference is answered with what it made, even when the plan is gone', async () => {
    const plan_code = 'airtel-sme-1gb-1w';
    const order = { plan_code, phone: sandboxPhone(), amount: 62_000, reference: 'again' };
    const first = await buy(order, { key: 'again' });
    expect(first.status).toBe(201);
    await edit('price = 70000, active = false', plan_code);
    const byKey = await buy(order, { key: 'again' });
    expect([byKey.status, byKey.headers.get('idempotent-replayed'), byKey.body]).toEqual([201, 'true', first.body]);
    const byReference = await buy(order);
    expect([byReference.status, byReference.headers.get('idempotent-replayed'), byReference.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect(refusal(await buy({ ...order, phone: sandboxPhone() }))).toEqual([409, 'duplicate_reference', '/reference']);
    expect(refusal(await buy({ ...order, reference: 'other' }, { key: 'again' }))).toEqual([
      422,
      'idempotency_key_reused',
      null,
    ]);
    expect(await available()).toBe(1_000_000 - 62_000 + 1_240);
  });

  it('that looks like a repetition is stopped, but another plan for the same number is not', async () => {
    const phone = sandboxPhone();
    const { body } = await buy({ phone });
    const twice = await buy({ phone });
    expect([twice.status, twice.body.code, twice.body.resource_id]).toEqual([409, 'likely_duplicate', body.id]);
    await edit(`price = ${PRICE}`, 'mtn-sme-2gb-1m');
    expect((await buy({ phone, plan_code: 'mtn-sme-2gb-1m' })).status).toBe(201);
    expect((await buy({ phone, allow_duplicate: true })).status).toBe(201);
  });

  it.each([
    [{ amount: 590.5 }, 'amount_not_integer'],
    [{ amount: 0 }, 'amount_out_of_range'],
    [{ colour: 'red' }, 'unknown_field'],
    [{ plan_code: null }, 'validation_failed'],
  ])('is refused with %j', async (fields, code) => expect((await buy(fields)).body.code).toBe(code));
});

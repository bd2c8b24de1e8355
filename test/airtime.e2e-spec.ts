import { DataSource } from 'typeorm';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const MTN = '+2348031234567';
const NAIRA = 100;

let duka: Duka;
let accountId: string;
let api: Api;
let wallet: string;
let numbers = 0;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  ({ id: accountId, api } = await duka.account());
  wallet = await api.wallet(20_000_000);
});
afterAll(() => duka.stop());

/** A test number that nobody has used, with the outcome `YZ`. */
const phoneFor = (outcome = '00'): string => `+234800${String(++numbers).padStart(4, '0')}1${outcome}`;
const buy = (fields: object = {}, options?: object): Promise<Answer> =>
  api.post('/v4/airtime/purchase', { phone: phoneFor(), amount: 500 * NAIRA, wallet_id: wallet, ...fields }, options);
/** Status and code of a refusal, and the field that it blames. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const networks = async (query = '', by = api): Promise<any[]> =>
  (await by.get(`/v4/airtime/networks${query}`)).body.data;

/** As an operator does it; a process sees it within a second, a new one at once. */
async function operator(statement: string): Promise<void> {
  await duka.get<DataSource>(DataSource).query(statement);
  await duka.restart();
}

describe('a purchase of airtime', () => {
  it('costs the amount less the commission, and tells what was sent where', async () => {
    const { status, body } = await buy({ phone: '0803 123 4567', country: 'NG', metadata: { order: '7' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'transaction',
      type: 'airtime_purchase',
      direction: 'debit',
      status: 'successful',
      wallet_id: wallet,
      recipient: MTN,
      amount: 50_000,
      fee: 0,
      commission: 1_250,
      total: 48_750,
      currency: 'NGN',
      balance_before: 20_000_000,
      balance_after: 19_951_250,
      details: {
        phone: MTN,
        network: 'mtn',
        network_source: 'prefix',
        delivered_amount: 50_000,
        operator_reference: expect.any(String),
      },
      provider: { name: 'sandbox', reference: expect.any(String), attempts: 1 },
      failure: null,
      metadata: { order: '7' },
      livemode: false,
    });
    expect(await api.balance(wallet)).toMatchObject({ available: 19_951_250, held: 0, ledger: 19_951_250 });
    expect((await api.get(`/v4/transactions/${body.id}`)).body).toEqual(body);
  });

  it.each([
    ['mtn', 10_001, 250],
    ['airtel', 10_001, 400],
    ['glo', 10_001, 600],
    ['t2', 10_001, 750],
    ['t2', 5_013, 375],
  ])('brings the commission of %s, rounded down: %i gives %i', async (network, amount, commission) => {
    const { body } = await buy({ network, amount });
    expect(body).toMatchObject({
      status: 'successful',
      commission,
      total: amount - commission,
      details: { network, network_source: 'given' },
    });
  });

  it('is of the network that an alias means', async () => {
    expect((await buy({ network: '9mobile' })).body.details).toMatchObject({ network: 't2', network_source: 'given' });
    expect((await buy({ network: 'etisalat', phone: '+2348091234567' })).body.details).toMatchObject({ network: 't2' });
  });

  it('is paid in the currency of the network', async () => {
    const shillings = await api.wallet(100_000, 'KES');
    const { body } = await buy({ phone: '0712345678', country: 'KE', amount: 5_000, wallet_id: undefined });
    expect(body).toMatchObject({
      wallet_id: shillings,
      recipient: '+254712345678',
      currency: 'KES',
      total: 5_000,
      commission: 0,
      details: { network: 'safaricom' },
    });
    expect(refusal(await buy({ phone: '0712345679', country: 'KE', amount: 5_000 }))).toEqual([
      422,
      'currency_mismatch',
      '/wallet_id',
    ]);
  });

  it('goes where it should when the number was ported', async () => {
    const before = await duka.totals();
    const rejected = await Promise.all([
      buy({ phone: MTN, network: 'glo' }),
      buy({ phone: MTN, network: 'glo', on_network_mismatch: 'reject' }),
      buy({ phone: phoneFor('13') }),
      buy({ phone: phoneFor('13'), network: 'mtn' }),
    ]);
    expect(rejected.map(refusal)).toEqual(Array(4).fill([422, 'network_mismatch', '/network']));
    expect(rejected[0]!.body.detail).toMatch(/\bglo\b.*\bmtn\b/);
    expect(await duka.totals()).toEqual(before);
    const sources = [
      await buy({ phone: MTN, network: 'glo', on_network_mismatch: 'use_given' }),
      await buy({ phone: MTN, network: 'glo', on_network_mismatch: 'use_detected', allow_duplicate: true }),
      await buy({ phone: phoneFor('13'), network: 'airtel' }),
      await buy({ phone: phoneFor('13'), on_network_mismatch: 'use_detected' }),
    ].map(({ body: { details, commission } }) => [details.network, details.network_source, commission]);
    expect(sources).toEqual([
      ['glo', 'given', 3_000],
      ['mtn', 'prefix', 1_250],
      ['airtel', 'given', 2_000],
      ['airtel', 'prefix', 2_000],
    ]);
  });

  it('is refused when it cannot be meant, and leaves no trace', async () => {
    const before = await duka.totals();
    const answers = await Promise.all([
      buy({ phone: 'hello' }),
      buy({ phone: '0241234567' }),
      buy({ phone: MTN, country: 'GH' }),
      buy({ phone: undefined }),
      buy({ phone: '+2347029123456' }),
      buy({ network: 'safaricom' }),
      buy({ network: 'MTN Nigeria' }),
      buy({ country: 'nigeria' }),
      buy({ on_network_mismatch: 'guess' }),
      buy({ amount: 4_999 }),
      buy({ amount: 5_000_001 }),
      buy({ amount: 50_000.5 }),
      buy({ amount: 0 }),
      buy({ amount: '50000' }),
      buy({ plan_code: 'x' }),
    ]);
    expect(answers.map(refusal)).toEqual([
      [400, 'invalid_phone_number', '/phone'],
      [400, 'invalid_phone_number', '/phone'],
      [400, 'invalid_phone_number', '/phone'],
      [400, 'validation_failed', '/phone'],
      [422, 'network_not_detected', '/network'],
      [400, 'validation_failed', '/network'],
      [400, 'validation_failed', '/network'],
      [400, 'validation_failed', '/country'],
      [400, 'validation_failed', '/on_network_mismatch'],
      [400, 'amount_out_of_range', '/amount'],
      [400, 'amount_out_of_range', '/amount'],
      [400, 'amount_not_integer', '/amount'],
      [400, 'amount_out_of_range', '/amount'],
      [400, 'amount_not_integer', '/amount'],
      [400, 'unknown_field', '/plan_code'],
    ]);
    expect(answers[9]!.body.detail).toBe('MTN Nigeria takes 5000 (NGN 50.00) to 5000000 (NGN 50,000.00) at once.');
    expect(await duka.totals()).toEqual(before);
    expect([await buy({ amount: 5_000 }), await buy({ amount: 5_000_000 })].map(({ status }) => status)).toEqual([
      201, 201,
    ]);
  });

  it('gives the money back when it is refused, and goes to the next provider when it may', async () => {
    const { status, body } = await buy({ phone: phoneFor('03') });
    expect([status, body.status, body.failure]).toEqual([
      201,
      'failed',
      expect.objectContaining({ code: 'recipient_barred', stage: 'provider', recovery: 'recipient_must_act' }),
    ]);
    expect(body.details).not.toHaveProperty('delivered_amount');
    expect(await api.balance(wallet)).toMatchObject({ available: 20_000_000, held: 0 });
    expect((await buy({ phone: phoneFor('05') })).body).toMatchObject({
      status: 'successful',
      provider: { name: 'sandbox_backup', attempts: 2 },
    });
  });

  it('charges what was delivered when that is less than was asked', async () => {
    expect((await buy({ phone: phoneFor('14') })).body).toMatchObject({
      status: 'successful',
      amount: 25_000,
      commission: 625,
      total: 24_375,
      details: { delivered_amount: 25_000, requested_amount: 50_000, released_amount: 24_375 },
    });
  });

  it('answers 202 while it goes on, and says so again to whoever asks again', async () => {
    const options = { key: 'k-1', headers: { prefer: 'wait=0' } };
    const phone = phoneFor('11');
    const { status, body } = await buy({ phone }, options);
    expect([status, body.status, body.completed_at]).toEqual([202, 'processing', null]);
    expect(await api.balance(wallet)).toMatchObject({ available: 19_951_250, held: 48_750, ledger: 20_000_000 });
    const again = await buy({ phone }, options);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([202, 'true', body.id]);
    expect(refusal(await buy({ phone, amount: 60_000 }, options)).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
  });

  it('is only shown in a dry run', async () => {
    const before = await duka.totals();
    const { status, body } = await buy({ dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: null,
      type: 'airtime_purchase',
      total: 48_750,
      details: { network: 'mtn' },
      ledger: expect.any(Array),
    });
    expect(refusal(await buy({ dry_run: true, amount: 1 }))).toEqual([400, 'amount_out_of_range', '/amount']);
    expect(await duka.totals()).toEqual(before);
  });

  it('needs a live provider for real money, and no test number', async () => {
    const live = duka.api(await duka.key({ accountId, livemode: true }));
    const order = { phone: MTN, amount: 50_000 };
    expect(refusal(await live.post('/v4/airtime/purchase', { ...order, phone: phoneFor() }))).toEqual([
      400,
      'invalid_phone_number',
      '/phone',
    ]);
    expect(refusal(await live.post('/v4/airtime/purchase', order)).slice(0, 2)).toEqual([503, 'provider_unavailable']);
  });

  it('needs its scope', async () => {
    const reader = duka.api(await duka.key({ accountId, scopes: ['purchases:read'] }));
    expect(refusal(await reader.post('/v4/airtime/purchase', { phone: MTN, amount: 50_000 })).slice(0, 2)).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect(await networks('', reader)).toHaveLength(14);
    const other = duka.api(await duka.key({ accountId, scopes: ['purchases:write'] }));
    expect((await other.get('/v4/airtime/networks')).status).toBe(403);
  });
});

describe('the list of networks', () => {
  it('has the networks of a country, or all', async () => {
    const list = (await api.get('/v4/airtime/networks?country=NG')).body;
    expect(list).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(list.data.map(({ slug, commission_bps }: any) => [slug, commission_bps])).toEqual([
      ['airtel', 400],
      ['glo', 600],
      ['mtn', 250],
      ['t2', 750],
    ]);
    expect(list.data[2]).toEqual({
      object: 'network',
      slug: 'mtn',
      name: 'MTN Nigeria',
      country: 'NG',
      currency: 'NGN',
      min_amount: 5_000,
      max_amount: 5_000_000,
      commission_bps: 250,
      available: true,
      status_message: null,
    });
    const all = await networks();
    expect(all.map(({ country }) => country)).toEqual([
      ...Array(3).fill('GH'),
      ...Array(3).fill('KE'),
      ...Array(4).fill('NG'),
      ...Array(4).fill('ZA'),
    ]);
    expect(await networks('?country=FR')).toEqual([]);
    expect(refusal(await api.get('/v4/airtime/networks?country=ng'))).toEqual([400, 'validation_failed', '/country']);
    expect(refusal(await api.get('/v4/airtime/networks?limit=1'))).toEqual([400, 'unknown_field', '/limit']);
  });

  it('says that nobody sells for real money', async () => {
    const live = duka.api(await duka.key({ accountId, livemode: true }));
    expect((await networks('', live)).map(({ available }) => available)).toEqual(Array(14).fill(false));
  });

  it('follows what an operator writes into the tables', async () => {
    const before = await buy({ amount: 4_000_000, network: 'glo', phone: phoneFor() }, { key: 'k-1' });
    await operator(`
      UPDATE networks SET max_amount = 1000000, commission_bps = 301, status_message = 'Slow today.', aliases = '{globacom}' WHERE country = 'NG' AND slug = 'glo';
      UPDATE networks SET slug = 'nine' WHERE slug = 't2';
      INSERT INTO networks (country, slug, name, currency, min_amount, max_amount) VALUES ('UG', 'mtn', 'MTN Uganda', 'UGX', 500, 200000);
      INSERT INTO provider_routes (product, network, livemode, provider, position, enabled) VALUES ('airtime', 'glo', false, 'sandbox', 1, false)`);
    expect((await networks('?country=NG'))[1]).toMatchObject({
      slug: 'glo',
      max_amount: 1_000_000,
      commission_bps: 301,
      status_message: 'Slow today.',
      available: false,
    });
    expect(await networks('?country=UG')).toMatchObject([{ slug: 'mtn', currency: 'UGX', available: true }]);
    expect(refusal(await buy({ network: 'glo', amount: 1_000_001 }))).toEqual([400, 'amount_out_of_range', '/amount']);
    expect(refusal(await buy({ network: 'globacom' })).slice(0, 2)).toEqual([503, 'provider_unavailable']);
    expect(refusal(await buy({ phone: '+2348091234567' }))).toEqual([422, 'network_not_detected', '/network']);
    const { body: ugandan } = await buy({
      phone: '+256772123456',
      network: 'mtn',
      amount: 1_000,
      wallet_id: await api.wallet(5_000, 'UGX'),
    });
    expect(ugandan).toMatchObject({ status: 'successful', currency: 'UGX', commission: 0 });
    // What was bought before stays bought, whatever would be refused now.
    const again = await buy({ amount: 4_000_000, network: 'glo', phone: before.body.recipient }, { key: 'k-1' });
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      before.body.id,
      'true',
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { decodeId, encodeId } from '../src/core/http/ids';
import { SandboxAirtime } from '../src/modules/airtime/providers/sandbox/sandbox.provider';
import { PurchaseRun } from '../src/modules/purchases/purchase-run';
import { FeesService } from '../src/modules/accounts/fees.service';
import { brokenChecks, movedBy } from './support/books';
import type { Answer } from './support/contract';
import { type Browser, newMember, newOwner } from './support/dashboard';
import { Duka, type TestAccount } from './support/duka';
import { setRate } from './support/rates';
import { until } from './support/recurring-probe';

const ASKED = 500_000;
/** NGN 10.01 are charged, and 2.5 % are given away: NGN 4,885.01 are bought. */
const PRICE = { currency: 'NGN', amount: ASKED, fee: 1_001, commission: 12_500, total: 488_501 };
/** At 1542.25 naira for a dollar, rounded up; five cents are the fee of converting. */
const SOLD = { amount: 317, fee: 5, commission: 0, total: 322 };
const MONEY = 100_000;
const PHONE = '+2348031234567';

let duka: Duka;
let account: TestAccount;
let dollars: string;

beforeAll(async () => {
  duka = await Duka.start();
  const rule = { tier: 'standard', basisPoints: 0, cap: null } as const;
  const fees = duka.get<FeesService>(FeesService);
  await fees.setRule({ ...rule, product: 'airtime', currency: 'NGN', flat: BigInt(PRICE.fee) });
  await fees.setRule({ ...rule, product: 'conversion', currency: 'USD', flat: BigInt(SOLD.fee) });
});
beforeEach(async () => {
  account = await duka.account();
  dollars = await account.api.wallet(MONEY, 'USD');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => duka.stop());

const order = (more: object = {}) => ({ phone: PHONE, amount: ASKED, wallet_id: dollars, ...more });
const buy = (more: object = {}, { scenario, key }: { scenario?: string; key?: string } = {}): Promise<Answer> =>
  account.api.post('/v4/airtime/purchase', order({ convert: true, ...more }), {
    headers: scenario === undefined ? {} : { 'x-sandbox-scenario': scenario },
    ...(key && { key }),
  });
const quote = async (amount = PRICE.total, more: object = {}): Promise<any> => {
  const wanted = { from_currency: 'USD', to_currency: 'NGN', amount, side: 'buy', ...more };
  return (await account.api.post('/v4/quotes', wanted)).body;
};
const transaction = async (id: string): Promise<any> => (await account.api.get(`/v4/transactions/${id}`)).body;
const balance = () => account.api.balance(dollars);
const advance = (seconds: number) => account.api.post('/v4/sandbox/clock/advance', { seconds });
const whole = { available: MONEY, held: 0, ledger: MONEY };

const DELIVERED = {
  'commissions NGN': -PRICE.commission,
  'fees NGN': PRICE.fee,
  'fees USD': SOLD.fee,
  'fx_position NGN': -PRICE.total,
  'fx_position USD': SOLD.amount,
  'provider_float NGN': ASKED,
  'wallet USD': -SOLD.total,
  'wallet USD held': 0,
};

/** What providers answer from now on. */
function tells(answer: object): void {
  const provider = duka.get<{ purchase: () => Promise<unknown>; find: () => Promise<unknown> }>(SandboxAirtime);
  jest.spyOn(provider, 'purchase').mockResolvedValue(answer);
  jest.spyOn(provider, 'find').mockResolvedValue(answer);
}

it('is paid in the currency of the wallet, by one posting that holds and one that converts and pays', async () => {
  const { status, body } = await buy();
  expect([status, body]).toMatchObject([
    201,
    {
      status: 'successful',
      currency: 'USD',
      ...SOLD,
      details: { conversion: { ...PRICE, rate: '1542.25' }, phone: PHONE },
      balance_before: MONEY,
      balance_after: MONEY - SOLD.total,
    },
  ]);
  expect(body.details.breakdown).toEqual([{ kind: 'fee', amount: SOLD.fee, by: 'fee_table' }]);
  expect(body.details.conversion.breakdown).toEqual([
    { kind: 'fee', amount: PRICE.fee, by: 'fee_table' },
    { kind: 'commission', amount: PRICE.commission, by: 'catalogue' },
  ]);
  expect(await transaction(body.id)).toEqual(body);
  expect(await balance()).toMatchObject({ available: MONEY - SOLD.total, held: 0 });
  const { body: used } = await account.api.get(`/v4/quotes/${body.details.conversion.quote_id}`);
  expect(used).toMatchObject({
    side: 'buy',
    sell_amount: SOLD.amount,
    fee: SOLD.fee,
    buy_amount: PRICE.total,
    used_by: body.id,
  });
  expect(await movedBy(duka, body.id)).toEqual(DELIVERED);
});

it('takes the rate that was promised, and asks providers for the price of the product', async () => {
  const promised = await quote();
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1000' });
  const asked = jest.spyOn(duka.get<SandboxAirtime>(SandboxAirtime), 'purchase');
  const { body } = await buy({ convert: undefined, quote_id: promised.id });
  expect(body).toMatchObject({ status: 'successful', ...SOLD, details: { conversion: { quote_id: promised.id } } });
  expect(asked.mock.calls[0]![0]).toMatchObject({ amount: BigInt(ASKED), currency: 'NGN' });
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1550', spread: 50 });
});

describe('what is not delivered', () => {
  it('was not converted: all of it goes back', async () => {
    const { body } = await buy({}, { scenario: 'outcome=failed' });
    expect(body).toMatchObject({ status: 'failed', ...SOLD });
    expect(await balance()).toEqual(whole);
    expect(await movedBy(duka, body.id)).toEqual({ 'wallet USD': 0, 'wallet USD held': 0 });
    // Whoever tries again does so at once, and at the rate of then.
    expect((await buy()).body.status).toBe('successful');
  });

  it('is held while nobody can say, and converted when it was delivered', async () => {
    const { status, body } = await buy({}, { scenario: 'outcome=timeout; then=delivered; delay=3s' });
    expect([status, body.status]).toEqual([202, 'processing']);
    expect(await balance()).toMatchObject({ available: MONEY - SOLD.total, held: SOLD.total });
    await setRate(duka, { from: 'USD', to: 'NGN', rate: '1000' });
    for (const seconds of [30, 60, 300]) await advance(seconds);
    await setRate(duka, { from: 'USD', to: 'NGN', rate: '1550', spread: 50 });
    expect(await transaction(body.id)).toMatchObject({ status: 'successful', ...SOLD });
    expect(await movedBy(duka, body.id)).toEqual(DELIVERED);
  });

  it('is settled by a requery when the process died before', async () => {
    jest.spyOn(duka.get<any>(PurchaseRun), 'deliver').mockRejectedValueOnce(new Error('killed'));
    const { body } = await buy({}, { scenario: 'outcome=delivered' });
    expect(body.status).toBe('processing');
    jest.restoreAllMocks();
    await account.api.post(`/v4/transactions/${body.id}/requery`);
    expect(await transaction(body.id)).toMatchObject({ status: 'successful' });
    expect(await movedBy(duka, body.id)).toEqual(DELIVERED);
  });
});

describe('what is delivered in parts', () => {
  const part = { amount: 200_000, fee: 400, commission: 5_000, total: 195_400 };

  it('costs the part, rounded against the caller by less than a cent, and gives back the rest', async () => {
    tells({
      outcome: 'delivered',
      providerReference: 'R-1',
      deliveredAmount: 200_000n,
      details: { conversion: 'mine' },
    });
    const { body } = await buy();
    // 317 × 195,400 / 488,501 = 126.8; 5 × … = 1.99, rounded down.
    const paid = { amount: 127, fee: 1, total: 128 };
    expect(body).toMatchObject({
      ...paid,
      details: {
        requested_amount: ASKED,
        delivered_amount: 200_000,
        released_amount: SOLD.total - paid.total,
        conversion: { ...part, currency: 'NGN', rate: '1542.25', quote_id: expect.stringMatching(/^qte_/) },
      },
      balance_after: MONEY - paid.total,
    });
    expect(await balance()).toMatchObject({ available: MONEY - paid.total, held: 0 });
    expect(await movedBy(duka, body.id)).toEqual({
      'commissions NGN': -part.commission,
      'fees NGN': part.fee,
      'fees USD': paid.fee,
      'fx_position NGN': -part.total,
      'fx_position USD': paid.amount,
      'provider_float NGN': 200_000,
      'wallet USD': -paid.total,
      'wallet USD held': 0,
    });
  });

  it('is given back as it was paid when it is taken back', async () => {
    tells({ outcome: 'delivered', providerReference: 'R-1', deliveredAmount: 200_000n, recheckAfterMs: 1_000 });
    const { body } = await buy();
    tells({ outcome: 'reversed', code: 'taken_back', message: 'Taken back.' });
    await advance(2);
    const { status, reversed_by: reversal } = await transaction(body.id);
    expect([status, await balance()]).toEqual(['reversed', whole]);
    expect(await transaction(reversal)).toMatchObject({ type: 'reversal', currency: 'USD', amount: 128 });
    for (const [what, sum] of Object.entries(await movedBy(duka, reversal)))
      expect([what, sum]).toEqual([what, -(await movedBy(duka, body.id))[what]!]);
  });
});

it('a delivery that is taken back gives back what left the wallet, whatever the rate is then', async () => {
  const { body } = await buy({}, { scenario: 'outcome=delivered; then=reversed; delay=5s' });
  expect(body.status).toBe('successful');
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '900' });
  for (const seconds of [10, 60, 600]) await advance(seconds);
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1550', spread: 50 });
  const { status, reversed_by: reversal } = await transaction(body.id);
  expect([status, await balance()]).toEqual(['reversed', whole]);
  const { 'wallet USD held': _, ...delivered } = DELIVERED;
  expect(await movedBy(duka, reversal)).toEqual(
    Object.fromEntries(Object.entries(delivered).map(([what, sum]) => [what, -sum])),
  );
});

describe('a quote', () => {
  it('is used once, whoever asks at the same time', async () => {
    const { id } = await quote();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        buy({ convert: undefined, quote_id: id, phone: `+23480312345${10 + i}`, reference: randomUUID() }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201 || status === 202);
    expect(made).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer !== made[0]))
      expect([status, body.code, body.resource_id]).toEqual([409, 'quote_used', made[0]!.body.id]);
    expect(await balance()).toMatchObject({ available: MONEY - SOLD.total });
    const wanted = { quote_id: id, from_wallet: dollars, to_wallet: await account.api.wallet(0) };
    expect((await account.api.post('/v4/conversions', wanted)).body.code).toBe('quote_used');
  });

  it('is not used by what was refused for want of money, nor twice for one request', async () => {
    const { id } = await quote();
    const [poor, key] = [await account.api.wallet(SOLD.total - 1, 'USD'), randomUUID()];
    const wanted = { convert: undefined, quote_id: id };
    const refused = await buy({ ...wanted, wallet_id: poor });
    expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_funds']);
    const twins = await Promise.all(Array.from({ length: 8 }, () => buy(wanted, { key })));
    expect(new Set(twins.map(({ body }) => body.id))).toEqual(new Set([twins[0]!.body.id]));
    expect((await buy(wanted, { key })).body.id).toBe(twins[0]!.body.id);
    expect(await balance()).toMatchObject({ available: MONEY - SOLD.total });
  });

  it('must be the caller’s, of these currencies, for this price and of this minute', async () => {
    const stranger = await duka.account();
    const wanted = { from_currency: 'USD', to_currency: 'NGN', amount: PRICE.total, side: 'buy' };
    const theirs = (await stranger.api.post('/v4/quotes', wanted)).body.id;
    const [less, other, expired] = [
      await quote(PRICE.total - 1),
      await quote(100, { to_currency: 'KES' }),
      await quote(),
    ];
    const by = (id: string) => buy({ convert: undefined, quote_id: id });
    expect((await by(theirs)).body).toMatchObject({ code: 'not_found', param: '/quote_id' });
    expect((await by(less.id)).body).toMatchObject({
      status: 422,
      code: 'quote_amount_mismatch',
      expected: PRICE.total,
      actual: PRICE.total - 1,
    });
    expect((await by(other.id)).body).toMatchObject({ status: 422, code: 'currency_mismatch', param: '/quote_id' });
    await advance(61);
    expect((await by(expired.id)).body).toMatchObject({ status: 409, code: 'quote_expired' });
    expect(await balance()).toEqual(whole);
  });
});

it.each<[object, number, string, string]>([
  [{ wallet_id: undefined }, 400, 'validation_failed', '/wallet_id'],
  [{ quote_id: encodeId('qte', '018f0000-0000-7000-8000-000000000000') }, 400, 'validation_failed', '/convert'],
  [
    { on_insufficient_funds: 'queue', deliver_by: '2100-01-01T00:00:00Z' },
    400,
    'validation_failed',
    '/on_insufficient_funds',
  ],
  [{ convert: 'yes' }, 400, 'validation_failed', '/convert'],
])('%j is refused', async (more, status, code, param) => {
  const refused = await buy(more);
  expect([refused.status, refused.body.code, refused.body.errors?.[0]?.param ?? refused.body.param]).toEqual([
    status,
    code,
    param,
  ]);
  expect(await balance()).toEqual(whole);
});

it('needs a wallet of the caller, in another currency, and a rate', async () => {
  const [naira, theirs] = [await account.api.wallet(1_000_000), await (await duka.account()).api.wallet(MONEY, 'USD')];
  expect((await buy({ wallet_id: naira })).body).toMatchObject({ code: 'currency_mismatch', param: '/wallet_id' });
  expect((await buy({ wallet_id: theirs })).body).toMatchObject({ code: 'not_found', param: '/wallet_id' });
  expect((await buy({ convert: undefined })).body.code).toBe('currency_mismatch');
  await duka.asOwner(`CREATE TABLE kept AS TABLE fx_rates; DELETE FROM fx_rates WHERE NOT livemode`);
  expect((await buy()).body).toMatchObject({ status: 503, code: 'rate_unavailable' });
  await duka.asOwner(`INSERT INTO fx_rates SELECT * FROM kept WHERE NOT livemode; DROP TABLE kept`);
});

it('a dry run says what it would cost, and uses and writes nothing', async () => {
  const { id } = await quote();
  const before = await duka.totals();
  const now = await buy({ dry_run: true });
  expect([now.status, now.body]).toMatchObject([
    200,
    { ...SOLD, details: { conversion: { ...PRICE, quote_id: null } } },
  ]);
  expect(now.body.ledger.map(({ amount }: { amount: number }) => amount)).toEqual([-SOLD.total, SOLD.total]);
  const promised = await buy({ dry_run: true, convert: undefined, quote_id: id });
  expect(promised.body.details.conversion).toMatchObject({ ...PRICE, quote_id: id });
  expect(await duka.totals()).toEqual(before);
});

describe('a payout', () => {
  let ada: Browser;
  let bola: Browser;

  beforeAll(async () => {
    ada = await newOwner(duka);
    bola = await newMember(duka, ada, 'admin');
    for (const person of [ada, bola]) await person.stepUp();
  });

  it('counts against limits in the currency that arrives, and waits for a second person at the promised rate', async () => {
    const id = (await ada.get('/me')).body.account.id as string;
    const api = duka.api(await duka.key({ accountId: id }));
    const wallet = await api.wallet(MONEY, 'USD');
    await duka.asOwner(
      `INSERT INTO payout_rules (account_id, livemode, currency, daily_limit, approval_above)
       VALUES ($1, false, 'NGN', 300000, 100000)`,
      [decodeId('acct', id)],
    );
    const pay = (amount: number, more: object = {}) =>
      api.post('/v4/payouts', {
        wallet_id: wallet,
        amount,
        bank: { code: '058', account_number: '0123456789' },
        convert: true,
        allow_duplicate: true,
        ...more,
      });
    const { body } = await pay(250_000);
    expect(body).toMatchObject({ status: 'pending', currency: 'USD', details: { approval: { status: 'awaiting' } } });
    expect((await pay(60_000)).body.code).toBe('limit_exceeded');
    await setRate(duka, { from: 'USD', to: 'NGN', rate: '100' });
    expect((await bola.post(`/approvals/${body.id}/decide`, { decision: 'approved' })).status).toBe(200);
    await until(async () => (await api.get(`/v4/payouts/${body.id}`)).body.status === 'successful', 30);
    await setRate(duka, { from: 'USD', to: 'NGN', rate: '1550', spread: 50 });
    const { total } = (await api.get(`/v4/payouts/${body.id}`)).body;
    expect(total).toBe(body.total);
    expect((await api.balance(wallet)).available).toBe(MONEY - total);
  });
});

it('verify:ledger finds what was converted otherwise than its quote says', async () => {
  const broken = async (): Promise<string[]> =>
    (await brokenChecks(duka.env.DATABASE_URL!)).map(({ check }) => check).sort();
  const { body } = await buy();
  const id = decodeId('txn', body.id);
  const change = async (statement: string, back: string, found: string[]): Promise<void> => {
    await duka.asOwner(statement, [id]);
    expect(await broken()).toEqual(expect.arrayContaining(found));
    await duka.asOwner(back, [id]);
    expect(await broken()).toEqual([]);
  };
  await change(
    'UPDATE quotes SET sell_amount = sell_amount - 1 WHERE used_by = $1',
    'UPDATE quotes SET sell_amount = sell_amount + 1 WHERE used_by = $1',
    ['payments_that_convert_have_their_quote'],
  );
  await change(
    `UPDATE quotes SET used_by = '018f0000-0000-7000-8000-000000000000' WHERE used_by = $1`,
    `UPDATE quotes SET used_by = $1 WHERE used_by = '018f0000-0000-7000-8000-000000000000'`,
    ['payments_that_convert_have_their_quote'],
  );
  await change(
    `UPDATE purchases SET conversion = conversion || '{"total": 1}' WHERE id = $1`,
    `UPDATE purchases SET conversion = conversion || '{"total": ${PRICE.total}}' WHERE id = $1`,
    ['payments_that_convert_have_their_quote', 'postings_in_two_currencies_are_conversions'],
  );
});

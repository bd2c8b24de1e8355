import { randomUUID } from 'node:crypto';
import { FeesService } from '../src/modules/accounts/fees.service';
import { brokenChecks } from './support/books';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { setRate } from './support/rates';

let duka: Duka;
let account: TestAccount;
let naira: string;
let dollars: string;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  account = await duka.account();
  [naira, dollars] = [await account.api.wallet(10_000_000), await account.api.wallet(100_000, 'USD')];
});
afterAll(() => duka.stop());

const quote = (body: object = {}, options?: { key?: string }): Promise<any> =>
  account.api.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 1_000, ...body }, options);
const quoted = async (body: object = {}): Promise<string> => (await quote(body)).body.id;
const convert = (quoteId: string, more: object = {}, options?: { key?: string }): Promise<any> =>
  account.api.post('/v4/conversions', { quote_id: quoteId, from_wallet: dollars, to_wallet: naira, ...more }, options);
const available = async (id: string): Promise<number> =>
  (await account.api.get(`/v4/wallets/${id}`)).body.balance.available;

describe('a quote', () => {
  it('says what is sold and bought, whichever of the two was named', async () => {
    const sold = await quote();
    expect([sold.status, sold.body]).toMatchObject([
      201,
      { rate: '1542.25', side: 'sell', sell_amount: 1_000, buy_amount: 1_542_250, fee: 0, total: 1_000 },
    ]);
    const { body: bought } = await quote({ amount: 100_000, side: 'buy' });
    expect(bought).toMatchObject({ side: 'buy', sell_amount: 65, buy_amount: 100_000 });
    const { body: back } = await quote({ from_currency: 'NGN', to_currency: 'USD', amount: 1_550_000 });
    expect(back).toMatchObject({ rate: '0.000641935483870967', sell_amount: 1_550_000, buy_amount: 994 });
    expect((await account.api.get(`/v4/quotes/${bought.id}`)).body).toEqual(bought);
    expect(await available(dollars)).toBe(100_000);
  });

  it('is the same for the same key', async () => {
    const key = randomUUID();
    const first = await quote({}, { key });
    const again = await quote({}, { key });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await quote({ amount: 1_001 }, { key })).body.code).toBe('idempotency_key_reused');
  });

  it.each([
    [{ to_currency: 'USD' }, 422, 'currency_mismatch'],
    [{ amount: 0 }, 400, 'amount_out_of_range'],
    [{ side: 'give' }, 400, 'validation_failed'],
    [{ from_currency: 'NGN', to_currency: 'USD', amount: 1 }, 400, 'amount_out_of_range'],
    [{ amount: Number.MAX_SAFE_INTEGER }, 400, 'amount_out_of_range'],
    [
      { from_currency: 'NGN', to_currency: 'USD', amount: Number.MAX_SAFE_INTEGER, side: 'buy' },
      400,
      'amount_out_of_range',
    ],
  ])('of %j is refused', async (body, status, code) => {
    const refused = await quote(body);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
  });

  it('has a fee where the table has one, in what is sold', async () => {
    const rule = {
      product: 'conversion',
      tier: 'default',
      currency: 'USD',
      flat: 5n,
      basisPoints: 100,
      cap: null,
    } as const;
    const { tier } = (await duka.asOwner('SELECT tier FROM accounts LIMIT 1'))[0] as { tier: string };
    const other = await duka.account();
    await duka.get<FeesService>(FeesService).setRule({ ...rule, tier });
    try {
      const body = { from_currency: 'USD', to_currency: 'NGN', amount: 1_000 };
      const { body: made } = await other.api.post('/v4/quotes', body);
      expect(made).toMatchObject({ fee: 15, total: 1_015, sell_amount: 1_000 });
      const [from, to] = [await other.api.wallet(1_014, 'USD'), await other.api.wallet()];
      const order = { quote_id: made.id, from_wallet: from, to_wallet: to };
      expect((await other.api.post('/v4/conversions', order)).body.code).toBe('insufficient_funds');
      await other.api.post(`/v4/sandbox/wallets/${from}/credit`, { amount: 1 });
      // What was refused has not used the quote.
      const { status, body: done } = await other.api.post('/v4/conversions', order);
      expect([status, done.fee]).toEqual([201, 15]);
      const { body: debit } = await other.api.get(`/v4/transactions/${done.transactions.debit}`);
      expect(debit).toMatchObject({ amount: 1_000, fee: 15, total: 1_015, balance_after: 0 });
      expect(debit.details.breakdown).toEqual([{ kind: 'fee', amount: 15, by: 'fee_table' }]);
    } finally {
      await duka.get<FeesService>(FeesService).setRule({ ...rule, tier, flat: 0n, basisPoints: 0 });
    }
  });
});

describe('a conversion', () => {
  it('moves both currencies at once, with a record, an event and a place in the books for each', async () => {
    const quoteId = await quoted();
    const before = await duka.totals();
    const preview = await convert(quoteId, { dry_run: true });
    expect([preview.status, preview.body.id]).toEqual([200, null]);
    expect(preview.body.ledger.map(({ amount }: { amount: number }) => amount)).toEqual([
      -1_000, 1_000, -1_542_250, 1_542_250,
    ]);
    expect(await duka.totals()).toEqual(before);

    const { status, body } = await convert(quoteId, { reference: 'fx-1', metadata: { desk: 'a' } });
    expect([status, body]).toMatchObject([
      201,
      { quote_id: quoteId, sell_amount: 1_000, buy_amount: 1_542_250, rate: '1542.25', reference: 'fx-1' },
    ]);
    expect([await available(dollars), await available(naira)]).toEqual([99_000, 11_542_250]);
    expect((await account.api.get(`/v4/conversions/${body.id}`)).body).toEqual(body);
    expect((await account.api.get('/v4/conversions')).body.data).toEqual([body]);
    expect((await account.api.get(`/v4/quotes/${quoteId}`)).body.used_by).toBe(body.id);

    const { body: out } = await account.api.get(`/v4/transactions/${body.transactions.debit}`);
    const { body: into } = await account.api.get(`/v4/transactions/${body.transactions.credit}`);
    const facts = { conversion_id: body.id, rate: '1542.25' };
    expect(out).toMatchObject({ type: 'conversion_out', wallet_id: dollars, counterparty: naira, details: facts });
    expect(into).toMatchObject({
      type: 'conversion_in',
      currency: 'NGN',
      amount: 1_542_250,
      details: { ...facts, sold: 'USD 10.00' },
    });
    const { data } = (await account.api.get('/v4/events?limit=4')).body;
    expect(data.map(({ type, data: { object } }: any) => [type, object.id])).toEqual(
      expect.arrayContaining([
        ['conversion.successful', body.id],
        ['transaction.successful', out.id],
        ['transaction.successful', into.id],
        ['wallet.credited', naira],
      ]),
    );
  });

  it('is one, however often it is asked for: by key, by reference, by quote', async () => {
    const [quoteId, key] = [await quoted(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => convert(quoteId)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const { status, body } of answers.filter(({ status: each }) => each !== 201))
      expect([status, body.code, body.resource_id]).toEqual([409, 'quote_used', made[0].body.id]);

    const other = await quoted();
    const twins = await Promise.all(Array.from({ length: 10 }, () => convert(other, { reference: 'fx-2' }, { key })));
    expect(new Set(twins.map(({ body }) => body.id)).size).toBe(1);
    const [{ body: one }] = twins;
    expect((await convert(other, { reference: 'fx-2' })).body).toEqual(one);
    expect((await convert(await quoted(), { reference: 'fx-2' })).body.code).toBe('duplicate_reference');
    expect(await available(dollars)).toBe(98_000);
  });

  it('needs wallets of its own, each in its currency', async () => {
    const stranger = await duka.account();
    const theirs = await stranger.api.wallet();
    const quoteId = await quoted();
    for (const [more, status, code] of [
      [{ to_wallet: theirs }, 404, 'not_found'],
      [{ from_wallet: theirs }, 404, 'not_found'],
      [{ from_wallet: naira, to_wallet: dollars }, 422, 'currency_mismatch'],
      [{ to_wallet: dollars }, 422, 'currency_mismatch'],
    ] as const) {
      const refused = await convert(quoteId, more);
      expect([refused.status, refused.body.code]).toEqual([status, code]);
    }
    const order = { quote_id: quoteId, from_wallet: dollars, to_wallet: naira };
    expect((await stranger.api.post('/v4/conversions', order)).body).toMatchObject({
      code: 'not_found',
      param: '/quote_id',
    });
    expect((await stranger.api.get(`/v4/quotes/${quoteId}`)).status).toBe(404);
    await account.api.post(`/v4/wallets/${dollars}/freeze`);
    expect((await convert(quoteId)).body.code).toBe('wallet_frozen');
  });

  it('is refused when its minute is over, by the clock of the account', async () => {
    const quoteId = await quoted();
    await account.api.post('/v4/sandbox/clock/advance', { seconds: 59 });
    expect((await convert(quoteId, { dry_run: true })).status).toBe(200);
    await account.api.post('/v4/sandbox/clock/advance', { seconds: 2 });
    const { status, body } = await convert(quoteId);
    expect([status, body.code]).toEqual([409, 'quote_expired']);
    expect(await available(dollars)).toBe(100_000);
  });
});

describe('rates', () => {
  it('are those that were set last, either way round, and are not quoted when they are too old', async () => {
    const rates = async (query: string) => (await account.api.get(`/v4/rates?${query}`)).body.data;
    const pair = { from: 'NGN', to: 'KES' };
    expect(await rates('from=NGN&to=KES')).toHaveLength(1);
    await setRate(duka, { ...pair, rate: '0.08' });
    await setRate(duka, { ...pair, rate: '0.1', spread: 1_000 });
    expect(await rates('from=NGN&to=KES')).toMatchObject([{ rate: '0.09', valid_until: null }]);
    expect(await rates('from=KES&to=NGN')).toMatchObject([{ rate: '9' }]);
    await setRate(duka, { ...pair, rate: '0.1', maxAgeSeconds: 1 });
    await duka.asOwner(`UPDATE fx_rates SET set_at = set_at - interval '2 seconds' WHERE max_age_seconds = 1`);
    expect([await rates('from=NGN&to=KES'), await rates('from=KES&to=NGN')]).toEqual([[], []]);
    expect(await rates('')).toHaveLength(15 * 14 - 2);
    const refused = await quote({ from_currency: 'NGN', to_currency: 'KES' });
    expect([refused.status, refused.body.code, refused.body.recovery]).toEqual([
      503,
      'rate_unavailable',
      'retry_later',
    ]);
  });

  it('are set and read by operators, who see what conversions left the platform with', async () => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const person = await line.person('rates@example.com', true);
    const words = ['rate:set', '--from', 'USD', '--to', 'NGN', '--rate', '1500.5', '--spread', '100'];
    expect((await line.duka(...words)).status).not.toBe(0);
    const { json, status } = await line.duka(...words, ...person);
    expect([status, json]).toMatchObject([0, { rate: '1500.5', spread_basis_points: 100, livemode: true }]);
    expect((await line.duka('rate:list')).json.rates).toMatchObject([{ from: 'USD', to: 'NGN', rate: '1500.5' }]);
    expect((await line.duka('rate:set', '--from', 'USD', '--to', 'NGN', '--rate', '1e3')).status).toBe(2);
    expect((await line.duka('rate:set', '--test', '--from', 'USD', '--to', 'USD', '--rate', '1')).status).toBe(1);
    expect((await line.duka('fx:position')).json).toMatchObject({ in: 'USD', positions: [], value: '0' });
  });
});

it('live conversions leave a position, which is valued at the newest rates', async () => {
  const line = CommandLine.on(duka.env.DATABASE_URL!);
  const person = await line.person('treasury@example.com', true);
  const set = async (rate: string, ...more: string[]) =>
    expect(
      (await line.duka('rate:set', '--from', 'EUR', '--to', 'GBP', '--rate', rate, ...more, ...person)).status,
    ).toBe(0);
  await set('0.8');
  const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
  const [euros, pounds] = [await live.wallet(0, 'EUR'), await live.wallet(0, 'GBP')];
  await line.duka('wallet:deposit', '--wallet', euros, '--amount', '1000', '--reference', 'float-1', ...person);
  const { body: made } = await live.post('/v4/quotes', { from_currency: 'EUR', to_currency: 'GBP', amount: 1_000 });
  const order = { quote_id: made.id, from_wallet: euros, to_wallet: pounds };
  expect((await live.post('/v4/conversions', order, { key: randomUUID() })).status).toBe(201);
  await set('0.5', '--spread', '100');
  expect((await line.duka('fx:position', '--in', 'GBP')).json).toMatchObject({
    in: 'GBP',
    positions: [
      { currency: 'EUR', amount: '1000', value: '500' },
      { currency: 'GBP', amount: '-800', value: '-800' },
    ],
    value: '-300',
  });
  expect((await line.duka('fx:position', '--in', 'KES')).json).toMatchObject({ value: null });
});

it('verify:ledger finds what is no conversion, and one that is not whole', async () => {
  const broken = async (): Promise<string[]> =>
    (await brokenChecks(duka.env.DATABASE_URL!)).map(({ check }) => check).sort();
  await convert(await quoted());
  await duka.asOwner('CREATE TABLE kept AS TABLE conversions');
  await duka.asOwner('UPDATE conversions SET buy_amount = buy_amount + 1');
  expect(await broken()).toEqual(['conversions_are_complete']);
  await duka.asOwner('DELETE FROM conversions');
  expect(await broken()).toEqual(
    expect.arrayContaining(['claims_have_their_resource', 'postings_in_two_currencies_are_conversions']),
  );
  await duka.asOwner('INSERT INTO conversions TABLE kept; DROP TABLE kept');
  expect(await broken()).toEqual([]);
});

import { DataSource } from 'typeorm';
import { Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };
const FLIGHT = { name: 'Air Lagos 100%', mcc: '4511', country: 'GB' };
const DAY_S = 24 * 3_600;

let duka: Duka;
let ada: Browser;
let card: string;
let customer: string;

const test = (path: string, body?: unknown) =>
  body ? ada.post(`/test/v4/${path}`, body) : ada.get(`/test/v4/${path}`);
const play = async (body: object) => (await test(`sandbox/cards/${card}/simulate`, body)).body;
const read = async (path: string) => (await ada.get(path)).body;
const namesOf = async (query: string) => (await read(`/customers?${query}`)).data.map(({ name }: any) => name);
const amountsOf = async (query: string) =>
  (await read(`/card-transactions?${query}`)).data.map(({ amount }: any) => amount);

const holder = (first: string, more: object = {}) => ({
  first_name: first,
  last_name: 'Obi',
  email: `${first.toLowerCase()}@example.com`,
  phone: '+2348031234567',
  date_of_birth: '1990-04-21',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
  identity: { type: 'passport', number: 'A01234567' },
  ...more,
});

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  const wallet = (await test('wallets', { currency: 'USD' })).body.id;
  await test(`sandbox/wallets/${wallet}/credit`, { amount: 100_000 });
  customer = (await test('customers', holder('Ada'))).body.id;
  await test('customers', holder('Bola', { phone: '+2348099999999' }));
  await test(`customers/${customer}/verify`, {});
  const order = { customer_id: customer, currency: 'USD', amount: 20_000, funding_wallet_id: wallet };
  card = (await test('cards/issue', order)).body.id;
});
afterAll(() => duka.stop());

describe('cardholders', () => {
  it('are found by name, address, number, id, state and tier', async () => {
    expect(await namesOf('')).toEqual(['Bola Obi', 'Ada Obi']);
    expect(await namesOf('q=ada o')).toEqual(['Ada Obi']);
    expect(await namesOf('q=BOLA@')).toEqual(['Bola Obi']);
    expect(await namesOf('q=99999')).toEqual(['Bola Obi']);
    expect(await namesOf(`q=${customer}`)).toEqual(['Ada Obi']);
    expect(await namesOf('q=%25')).toEqual([]);
    expect(await namesOf('kyc_status=verified,pending')).toEqual(['Ada Obi']);
    expect(await namesOf('kyc_tier=2')).toEqual(['Ada Obi']);
    expect(await namesOf('kyc_tier=0')).toEqual(['Bola Obi']);
    expect(await namesOf('needs_review=true')).toEqual([]);
    expect(await namesOf('livemode=true')).toEqual([]);
    expect((await ada.get('/customers?kyc_tier=4')).status).toBe(400);
    expect((await (await newOwner(duka)).get('/customers')).body.data).toEqual([]);
  });

  it('come page by page, with how many there are and the cards that they have', async () => {
    const first = await read('/customers?limit=1');
    expect(first).toMatchObject({ total: 2, data: [{ cards: 0 }], next_cursor: expect.any(String) });
    const second = await read(`/customers?limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ data: [{ id: customer, cards: 1, kyc_status: 'verified' }], next_cursor: null });
  });

  it('have limits by their tier, and what of them is used', async () => {
    const free = { tier: 2, cards_max: null, cards: 1, load_daily_max: null, loaded: 20_000, balance_max: null };
    expect(await read(`/customers/${customer}/allowance`)).toMatchObject(free);
    await duka.asOwner(
      `INSERT INTO kyc_tier_limits (livemode, tier, currency, cards_max, load_daily_max, person, reason)
       VALUES (false, 2, 'USD', 5, 500000, 'olu', 'test')`,
    );
    const limits = { cards_max: 5, load_daily_max: 500_000, load_single_max: null, loaded: 20_000 };
    expect(await read(`/customers/${customer}/allowance`)).toMatchObject(limits);
    await duka.asOwner(`DELETE FROM kyc_tier_limits WHERE NOT livemode`);
    expect((await ada.get(`/customers/${customer}/allowance?livemode=true`)).status).toBe(404);
    expect((await (await newOwner(duka)).get(`/customers/${customer}/allowance`)).status).toBe(404);
  });
});

describe('what was done with cards', () => {
  let paid: string;

  beforeAll(async () => {
    paid = (await play({ kind: 'authorization', amount: 1_000, merchant: SHOP })).id;
    await play({ kind: 'clearing', card_transaction_id: paid });
    await play({ kind: 'refund', card_transaction_id: paid, amount: 300 });
    await play({ kind: 'authorization', amount: 5_000, merchant: FLIGHT });
    await play({ kind: 'decline', amount: 700, merchant: SHOP });
  });

  it('is found over all cards, newest first', async () => {
    expect(await amountsOf('')).toEqual([700, 5_000, 300, 1_000]);
    expect(await amountsOf('status=declined')).toEqual([700]);
    expect(await amountsOf('type=refund')).toEqual([300]);
    expect(await amountsOf('merchant=100%25')).toEqual([5_000]);
    expect(await amountsOf('mcc=4511')).toEqual([5_000]);
    expect(await amountsOf('country=GB')).toEqual([5_000]);
    expect(await amountsOf('amount_gte=700&amount_lte=1000')).toEqual([700, 1_000]);
    expect(await amountsOf(`customer_id=${customer}&card_id=${card}`)).toHaveLength(4);
    expect(await amountsOf('card_id=crd_x')).toEqual([]);
    expect(await amountsOf('created_lt=2020-01-01')).toEqual([]);
    expect(await amountsOf('livemode=true')).toEqual([]);
    const { next_cursor: next } = await read('/card-transactions?limit=3');
    expect(await amountsOf(`limit=3&cursor=${next}`)).toEqual([1_000]);
    expect((await (await newOwner(duka)).get('/card-transactions')).body.data).toEqual([]);
  });

  it('is told by its id as the public list tells it', async () => {
    const { data } = (await test(`cards/${card}/transactions`)).body;
    expect(await read(`/card-transactions/${paid}`)).toEqual(data.find(({ id }: any) => id === paid));
    expect((await ada.get(`/card-transactions/${paid}?livemode=true`)).status).toBe(404);
    expect((await (await newOwner(duka)).get(`/card-transactions/${paid}`)).status).toBe(404);
  });

  it('adds up by category, less what came back, without what was declined', async () => {
    expect(await read(`/cards/${card}/spending`)).toMatchObject({
      currency: 'USD',
      data: [
        { mcc: '4511', count: 1, amount: 5_000 },
        { mcc: '5411', amount: 700 },
      ],
      used: { daily: 6_000, weekly: 6_000, monthly: 6_000, all_time: 6_000 },
    });
    expect((await ada.get(`/cards/${card}/spending?livemode=true`)).status).toBe(404);
    expect((await (await newOwner(duka)).get(`/cards/${card}/spending`)).status).toBe(404);
  });

  it('adds it up from an index alone', async () => {
    const source = duka.get<DataSource>(DataSource);
    await duka.asOwner('VACUUM ANALYZE card_transactions');
    const asked = jest.spyOn(DataSource.prototype, 'query');
    await read(`/cards/${card}/spending`);
    const [text, values] = asked.mock.calls.find(([sql]) => sql.includes('GROUP BY mcc'))!;
    asked.mockRestore();
    const runner = source.createQueryRunner();
    try {
      await runner.query('SET enable_seqscan = off');
      await runner.query('SET enable_bitmapscan = off');
      const plan = JSON.stringify(await runner.query(`EXPLAIN (FORMAT JSON) ${text}`, values));
      expect(plan).toMatch(/Index Only Scan.*card_transactions_spent/);
    } finally {
      await runner.query('RESET ALL');
      await runner.release();
    }
  });

  it('goes by the clock of the account', async () => {
    await test('sandbox/clock/advance', { seconds: 31 * DAY_S });
    expect(await read(`/cards/${card}/spending`)).toMatchObject({ data: [], used: { daily: 0 } });
    const now = (await play({ kind: 'clearing', amount: 900 })).created_at as string;
    const found = await read(`/card-transactions?created_gte=${now.slice(0, 10)}`);
    expect(found.data).toMatchObject([{ amount: 900, created_at: now }]);
    await test('sandbox/reset', {});
    // The clearing is of a day that is yet to come. What was never cleared lapsed meanwhile.
    expect((await read(`/cards/${card}/spending`)).used).toEqual({
      daily: 1_000,
      weekly: 1_000,
      monthly: 1_000,
      all_time: 1_900,
    });
  });
});

import table from '../src/modules/purchases/sandbox/scenarios.json';
import { Buyer, type End } from './support/buyer';
import { expectBooksToBalance, IN_PIECES } from './support/books';
import { Duka } from './support/duka';

interface Row {
  readonly code: string;
  readonly phone: string;
  readonly description: string;
  readonly seconds: number;
  readonly final: End;
  readonly final_indivisible: End | null;
}

let duka: Duka;
/** What the route serves. */
let scenarios: any;
let plan: string;
let numbers = 0;

beforeAll(async () => {
  duka = await Duka.start();
  const { api } = await duka.account();
  scenarios = (await api.get('/v4/sandbox/scenarios')).body;
  plan = (await api.get('/v4/data/plans?network=mtn&country=NG')).body.data[0].plan_code;
});
afterAll(async () => {
  await expectBooksToBalance(duka.env.DATABASE_URL!, IN_PIECES);
  await duka.stop();
});

const CODES = table.phones.outcomes.map(({ code }) => code);
const DELAYS = table.phones.delays.map(({ digit }) => digit);
const rowOf = (code: string): Row => scenarios.phones.outcomes.find((row: Row) => row.code === code);
const secondsOf = (digit: string): number =>
  scenarios.phones.delays.find((delay: { digit: string }) => delay.digit === digit).seconds;
/** `X`, `YZ` and four digits that nobody else uses. */
const numberOf = (digit: string, code: string): string => `+234800${String(++numbers).padStart(4, '0')}${digit}${code}`;

const REQUESTS: Record<string, (phone: string) => [path: string, body: object]> = {
  airtime: (phone) => ['/v4/airtime/purchase', { phone, amount: 10_001 }],
  data: (phone) => ['/v4/data/purchase', { phone, plan_code: plan }],
  payouts: (phone) => [
    '/v4/payouts',
    { amount: 10_001, bank: { code: '058', account_number: `0000000${phone.slice(-3)}` } },
  ],
  bills: (phone) => ['/v4/bills/pay', { biller_code: 'waec-result', customer_identifier: phone }],
};
/** The operator is the same for all; airtime is walked with every delay. */
const WALKS = [
  ['airtime', DELAYS],
  ['data', ['1']],
  ['bills', ['1']],
  ['payouts', ['1', '2']],
] as const;

it('are all served, and the table is the one that is walked here', () => {
  expect(scenarios.phones.outcomes.map(({ code }: Row) => code)).toEqual(CODES);
  expect(scenarios.phones.delays).toEqual([
    { digit: '1', seconds: 0 },
    { digit: '2', seconds: 20 },
    { digit: '3', seconds: 300 },
  ]);
  expect(scenarios.providers).toEqual(['sandbox', 'sandbox_backup']);
  for (const { phone, code } of scenarios.phones.outcomes as Row[])
    expect(phone).toMatch(new RegExp(`^\\+23480000001${code}$`));
});

describe.each(WALKS)('%s for a phone', (product, delays) => {
  // A bill and a payout have no network that could be another one.
  const codes = CODES.filter((code) => (product !== 'bills' && product !== 'payouts') || code !== '13');

  describe.each(codes)('with the outcome %s', (code) => {
    it.each(delays)('and the delay %s ends as the table says', async (digit) => {
      const row = rowOf(code);
      const final = (product === 'airtime' ? null : row.final_indivisible) ?? row.final;
      const buyer = await Buyer.of(duka);
      const { status, body } = await buyer.buy(...REQUESTS[product]!(numberOf(digit, code)));
      if (final.error_code !== null) {
        expect([body.code, status >= 400]).toEqual([final.error_code, true]);
        return buyer.expectNothing();
      }
      expect(status).toBe(body.completed_at === null ? 202 : 201);
      await expectDelay(buyer, body, secondsOf(digit) + row.seconds);
      await buyer.reach(body.id, final);
      await buyer.expectEnd(body.id, final);
    });
  });
});

/** Until the delay is over the purchase stays as it began: running, or delivered and not yet taken back. */
async function expectDelay(
  buyer: Buyer,
  { id, status }: { id: string; status: string },
  seconds: number,
): Promise<void> {
  if (seconds === 0) return;
  expect(['processing', 'successful']).toContain(status);
  await buyer.advance(seconds / 2);
  expect((await buyer.transaction(id)).status).toBe(status);
}

describe('a number without a meaning', () => {
  it.each(['+2348031234567', '+2348000001999', '+2348000001001', '+2348000001400'])(
    'is delivered to at once: %s',
    async (phone) => {
      const buyer = await Buyer.of(duka);
      const { status, body } = await buyer.airtime(phone);
      expect([status, body.status]).toEqual([201, 'successful']);
      await buyer.expectEnd(body.id, {
        status: 'successful',
        failure_code: null,
        error_code: null,
        attempts: 1,
        needs_review: false,
      });
    },
  );
});

describe('details of an outcome', () => {
  it('05 is really sold by the second provider', async () => {
    const buyer = await Buyer.of(duka);
    const { body } = await buyer.airtime(numberOf('1', '05'));
    expect(body.provider).toMatchObject({ name: 'sandbox_backup', attempts: 2 });
    const { data } = (await buyer.api.get(`/v4/transactions/${body.id}/timeline`)).body;
    const answers = data
      .filter(({ kind }: any) => kind === 'provider.answer')
      .map(({ data: { number, provider, outcome } }: any) => [number, provider, outcome]);
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(
      expect.arrayContaining([
        [1, 'sandbox', 'not_delivered'],
        [2, 'sandbox_backup', 'delivered'],
      ]),
    );
  });

  it('12 links the reversal to what it takes back', async () => {
    const buyer = await Buyer.of(duka);
    const { body } = await buyer.airtime(numberOf('2', '12'));
    expect(body.status).toBe('successful');
    await buyer.reach(body.id, rowOf('12').final);
    const reversal = await buyer.transaction((await buyer.transaction(body.id)).reversed_by);
    expect(reversal).toMatchObject({
      type: 'reversal',
      direction: 'credit',
      status: 'successful',
      amount: body.total,
      reverses: body.id,
      balance_after: Buyer.MONEY,
    });
    expect(await buyer.events(buyer.wallet)).toEqual(['wallet.created', 'wallet.credited', 'wallet.credited']);
  });

  it('13 is sold to the network that it was ported to, or the given one, when the request says so', async () => {
    const buyer = await Buyer.of(duka);
    const sold = async (more: object) => (await buyer.airtime(numberOf('1', '13'), undefined, more)).body;
    expect(await sold({ on_network_mismatch: 'use_detected' })).toMatchObject({
      status: 'successful',
      details: { network: 'airtel' },
    });
    expect(await sold({ on_network_mismatch: 'use_given', network: 'mtn' })).toMatchObject({
      status: 'successful',
      details: { network: 'mtn' },
    });
    expect(await sold({ network: 'airtel' })).toMatchObject({ status: 'successful', details: { network: 'airtel' } });
  });

  it('14 costs what was delivered', async () => {
    const buyer = await Buyer.of(duka);
    const { body } = await buyer.airtime(numberOf('1', '14'), undefined, { amount: 10_001 });
    expect(body).toMatchObject({
      status: 'successful',
      amount: 5_000,
      details: { delivered_amount: 5_000, requested_amount: 10_001 },
    });
    expect(
      (await buyer.airtime(numberOf('1', '00'), undefined, { amount: 10_001 })).body.details.delivered_amount,
    ).toBe(10_001);
  });

  it('15 leaves the request free to be sent again', async () => {
    const buyer = await Buyer.of(duka);
    const phone = numberOf('1', '15');
    const { status, body, headers } = await buyer.airtime(phone, undefined, { reference: 'r-15' });
    expect([status, body.code, body.retryable, headers.has('retry-after')]).toEqual([
      503,
      'provider_unavailable',
      true,
      true,
    ]);
    expect((await buyer.airtime(phone, 'outcome=delivered', { reference: 'r-15' })).status).toBe(201);
  });
});

describe('bill customers', () => {
  const CUSTOMER_FIELDS = ['biller_code', 'item_code', 'service_type'];

  it('end as the table says, when nobody but the number decides', async () => {
    expect(scenarios.bill_customers.length).toBeGreaterThan(8);
    for (const { customer_identifier, example, final } of scenarios.bill_customers) {
      const buyer = await Buyer.of(duka);
      const [biller] = (await buyer.api.all('/v4/bills/billers?limit=100')).filter(
        ({ code }) => code === example.biller_code,
      );
      const asked = {
        customer_identifier,
        ...Object.fromEntries(Object.entries(example).filter(([name]) => CUSTOMER_FIELDS.includes(name))),
      };
      const validation = biller.validation_required ? (await buyer.api.post('/v4/bills/validate', asked)).body : null;
      const amount = validation?.renewal_amount;
      const { body } = await buyer.buy('/v4/bills/pay', {
        customer_identifier,
        ...(validation && { validation_id: validation.id }),
        ...(amount && { amount }),
        ...example,
      });
      await buyer.reach(body.id, final);
      await buyer.expectEnd(body.id, final);
    }
  });
});

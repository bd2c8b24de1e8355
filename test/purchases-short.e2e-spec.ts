import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { SandboxAirtime } from '../src/modules/airtime/providers/sandbox/sandbox.provider';
import { SandboxBills } from '../src/modules/bills/providers/sandbox/sandbox.provider';
import { SandboxData } from '../src/modules/data/providers/sandbox/sandbox.provider';
import type { Delivered } from '../src/modules/purchases/purchases.provider';
import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { ReviewService } from '../src/modules/purchases/review.service';
import { Buyer } from './support/buyer';
import { Duka } from './support/duka';
import { reviewer } from './support/reviewers';

const ASKED = 50_000;
/** 2.5 % of NGN 500 is given away, and NGN 10.01 are charged. */
const PRICE = { fee: 1_001, commission: 1_250 };
const TOTAL = ASKED + PRICE.fee - PRICE.commission;

let duka: Duka;
let buyer: Buyer;

beforeAll(async () => {
  duka = await Duka.start();
  await duka
    .get<DataSource>(DataSource)
    .query(
      `INSERT INTO fees (product, tier, currency, flat, basis_points) VALUES ('airtime', 'standard', 'NGN', $1, 0)`,
      [PRICE.fee],
    );
});
afterAll(() => duka.stop());
beforeEach(async () => {
  buyer = await Buyer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const delivers = (more: object = {}) => ({ outcome: 'delivered', providerReference: 'R-1', ...more }) as Delivered;

/** What a provider answers from now on, to an order and at a requery. */
const tells =
  (type: new (...args: never[]) => object) =>
  (answer: unknown): void => {
    const provider = duka.get<{ purchase: () => Promise<unknown>; find: () => Promise<unknown> }>(type);
    jest.spyOn(provider, 'purchase').mockResolvedValue(answer);
    jest.spyOn(provider, 'find').mockResolvedValue(answer);
  };
const [airtime, data, bills] = [tells(SandboxAirtime), tells(SandboxData), tells(SandboxBills)];

const buyAirtime = async () => (await buyer.airtime('+2348031234567', undefined, { amount: ASKED })).body;
const balance = () => buyer.api.balance(buyer.wallet);
const eventOf = async (id: string, type: string) =>
  (await buyer.api.all('/v4/events?limit=100')).find((event) => event.type === type && event.data.object.id === id);

describe('airtime of which less was delivered than asked', () => {
  it('costs what was delivered: the rest is released, fee and commission in proportion', async () => {
    airtime(delivers({ deliveredAmount: 20_000n }));
    const bought = await buyAirtime();
    const price = { amount: 20_000, fee: 400, commission: 500, total: 19_900 };
    const facts = { delivered_amount: 20_000, requested_amount: ASKED, released_amount: TOTAL - 19_900 };
    expect(bought).toMatchObject({
      status: 'successful',
      ...price,
      details: facts,
      balance_before: Buyer.MONEY,
      balance_after: Buyer.MONEY - 19_900,
    });
    expect(await buyer.transaction(bought.id)).toMatchObject({ ...price, details: facts });
    expect(await balance()).toEqual({ available: Buyer.MONEY - 19_900, held: 0, ledger: Buyer.MONEY - 19_900 });
    expect((await eventOf(bought.id, 'transaction.successful'))!.data.object).toMatchObject({
      ...price,
      details: facts,
    });
    const lines = (await buyer.api.all(`/v4/wallets/${buyer.wallet}/entries?limit=100`))
      .reverse()
      .slice(1)
      .map(({ bucket, amount }) => [bucket, amount]);
    expect(lines).toEqual([
      ['available', -TOTAL],
      ['held', TOTAL],
      ['held', -19_900],
      ['held', 19_900 - TOTAL],
      ['available', TOTAL - 19_900],
    ]);
    const [float] = await duka.get<DataSource>(DataSource).query(
      `SELECT sum(e.amount)::integer AS owed FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id WHERE e.posting_id IN
        (SELECT posting_id FROM ledger_entries WHERE transaction_id = $1) AND a.name = 'provider_float:sandbox'`,
      [decodeId('txn', bought.id)],
    );
    expect(float.owed).toBe(20_000);
  });

  it('gives back what it cost when it is taken back, and no more', async () => {
    airtime(delivers({ deliveredAmount: 20_000n, recheckAfterMs: 1_000 }));
    const { id } = await buyAirtime();
    airtime({ outcome: 'reversed', code: 'taken_back', message: 'Taken back.' });
    await buyer.advance(2);
    const reversed = await buyer.transaction(id);
    expect(reversed).toMatchObject({ status: 'reversed', total: 19_900 });
    expect(await buyer.transaction(reversed.reversed_by)).toMatchObject({ amount: 19_900 });
    expect(await balance()).toEqual({ available: Buyer.MONEY, held: 0, ledger: Buyer.MONEY });
  });

  it('is found out at a requery, too', async () => {
    airtime({ outcome: 'unknown', code: 'timeout' });
    const { id } = await buyAirtime();
    airtime(delivers({ deliveredAmount: 20_000n }));
    expect((await buyer.api.post(`/v4/transactions/${id}/requery`)).body).toMatchObject({
      status: 'successful',
      total: 19_900,
    });
  });

  it('costs what was asked when all of it was delivered', async () => {
    airtime(delivers({ deliveredAmount: BigInt(ASKED) }));
    const bought = await buyAirtime();
    expect(bought).toMatchObject({
      status: 'successful',
      amount: ASKED,
      total: TOTAL,
      details: { delivered_amount: ASKED },
    });
    expect(bought.details).not.toHaveProperty('requested_amount');
  });
});

/** Nothing moved, and a person was called once. */
async function expectReview(id: string, total: number): Promise<void> {
  expect(await buyer.transaction(id)).toMatchObject({ status: 'processing', completed_at: null });
  expect(await balance()).toMatchObject({ available: Buyer.MONEY - total, held: total });
  await buyer.api.post(`/v4/transactions/${id}/requery`);
  expect(await buyer.events(id)).toEqual(['transaction.processing', 'transaction.needs_review']);
}

const resolve = (id: string, outcome: 'delivered' | 'not_delivered') =>
  duka
    .get<ReviewService>(ReviewService)
    .list(500)
    .then((all) => {
      const { accountId, livemode, id: uuid } = all.find((one) => one.id === decodeId('txn', id))!;
      return duka
        .get<ReviewService>(ReviewService)
        .resolve({ accountId, livemode, id: uuid }, { outcome, person: reviewer('ada'), note: 'ticket 7' });
    });

describe('what does not fit, and cannot be split', () => {
  it('airtime of which more was delivered than asked waits for a person', async () => {
    airtime(delivers({ deliveredAmount: 5_000_000n }));
    const { id } = await buyAirtime();
    await expectReview(id, TOTAL);
    await resolve(id, 'delivered');
    expect(await buyer.transaction(id)).toMatchObject({
      status: 'successful',
      total: TOTAL,
      provider: { reference: 'R-1' },
      details: { delivered_amount: 5_000_000 },
    });
    expect(await balance()).toMatchObject({ available: Buyer.MONEY - TOTAL, held: 0 });
  });

  it('a data plan that was delivered in part waits for a person', async () => {
    const [plan] = (await buyer.api.get('/v4/data/plans?network=mtn&country=NG')).body.data;
    data(delivers({ deliveredAmount: 100n }));
    const { body } = await buyer.buy('/v4/data/purchase', { phone: '+2348031234567', plan_code: plan.plan_code });
    await expectReview(body.id, body.total);
    await resolve(body.id, 'not_delivered');
    expect(await buyer.transaction(body.id)).toMatchObject({ status: 'failed' });
    expect(await balance()).toEqual({ available: Buyer.MONEY, held: 0, ledger: Buyer.MONEY });
  });

  it('a bill keeps its tokens to itself until a person has decided', async () => {
    const asked = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
    const { body: validation } = await buyer.api.post('/v4/bills/validate', asked);
    bills(
      delivers({
        deliveredAmount: 60_000n,
        secrets: { tokens: [{ kind: 'credit', value: '12345678901234567890', units: null }] },
      }),
    );
    const { body } = await buyer.buy('/v4/bills/pay', { ...asked, amount: 200_000, validation_id: validation.id });
    await expectReview(body.id, body.total);
    expect(JSON.stringify(await buyer.transaction(body.id))).not.toContain('7890');
    // A requery that forgets the token does not take it away.
    bills(delivers({ deliveredAmount: 60_000n }));
    await buyer.api.post(`/v4/transactions/${body.id}/requery`);
    await resolve(body.id, 'delivered');
    expect(await buyer.transaction(body.id)).toMatchObject({
      status: 'successful',
      total: body.total,
      details: { tokens: [{ value: '12345678901234567890' }], delivered_amount: 60_000 },
    });
    expect((await buyer.api.get('/v4/transactions?type=bill_payment')).body.data[0].details.tokens[0].value).toMatch(
      /\*.*7890/,
    );
  });

  it.each(['not_delivered', 'reversed'])('a bill keeps its tokens once its money went back: %s', async (ending) => {
    const asked = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
    const { body: validation } = await buyer.api.post('/v4/bills/validate', asked);
    const secrets = { tokens: [{ kind: 'credit', value: '12345678901234567890', units: null }] };
    const deliveredAmount = ending === 'reversed' ? 200_000n : 60_000n;
    bills(delivers({ deliveredAmount, secrets }));
    const { body } = await buyer.buy('/v4/bills/pay', { ...asked, amount: 200_000, validation_id: validation.id });
    if (ending === 'not_delivered') await resolve(body.id, ending);
    else {
      bills({ outcome: 'reversed', code: 'returned', message: 'Taken back.' });
      const [{ accountId }] = await duka
        .get<DataSource>(DataSource)
        .query('SELECT account_id AS "accountId" FROM purchases WHERE id = $1', [decodeId('txn', body.id)]);
      const requeries = duka.get<PurchaseRequeries>(PurchaseRequeries);
      await requeries.requeryNow({ accountId, livemode: false }, decodeId('txn', body.id)!);
    }
    expect((await balance()).available).toBe(Buyer.MONEY);
    expect(JSON.stringify(await buyer.transaction(body.id))).not.toContain('12345678901234567890');
  });

  it('text that PostgreSQL cannot keep keeps nothing from being settled', async () => {
    airtime(delivers({ details: { operator_reference: 'a\u0000b \ud83d C:\\u0000' } }));
    const bought = await buyAirtime();
    const details = { operator_reference: 'a\ufffdb \ufffd C:\\u0000' };
    expect(bought).toMatchObject({ status: 'successful', details });
    expect(await buyer.transaction(bought.id)).toMatchObject({ details });
    const words = 'no '.repeat(100).slice(0, 299);
    const message = `${words}\u{1f600}`;
    airtime({ outcome: 'not_delivered', code: 'declined', message, recovery: 'none', retryElsewhere: false });
    const { body } = await buyer.airtime('+2348031234568', undefined, { amount: ASKED });
    expect([body.status, body.failure.message]).toEqual(['failed', `${words}\ufffd`]);
  });

  it.each([0n, -5n, 20_000, '20000', 2n ** 60n])('an amount of %p proves nothing', async (deliveredAmount) => {
    airtime(delivers({ deliveredAmount }));
    const { id } = await buyAirtime();
    expect(await buyer.transaction(id)).toMatchObject({ status: 'processing' });
    expect(await buyer.events(id)).toEqual(['transaction.processing']);
    expect((await balance()).held).toBe(TOTAL);
  });

  it('an amount that is told as a fact, and not as the amount, proves nothing', async () => {
    airtime(delivers({ details: { delivered_amount: 20_000 } }));
    expect(await buyAirtime()).toMatchObject({ status: 'processing' });
  });

  it('an amount that a later requery contradicts is for a person to see', async () => {
    airtime(delivers({ recheckAfterMs: 1_000 }));
    const { id } = await buyAirtime();
    airtime(delivers({ deliveredAmount: 20_000n }));
    await buyer.advance(2);
    expect(await buyer.events(id)).toEqual([
      'transaction.processing',
      'transaction.successful',
      'transaction.needs_review',
    ]);
    expect(await buyer.transaction(id)).toMatchObject({ status: 'successful', total: TOTAL });
  });
});

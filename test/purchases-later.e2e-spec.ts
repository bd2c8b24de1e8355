import { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { ReviewService } from '../src/modules/purchases/review.service';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import { Routes } from '../src/providers/routes';
import { Duka } from './support/duka';
import { reviewer } from './support/reviewers';
import { FUNDS, PRICE, Shopper, TOTAL } from './support/shopper';
import { until } from './support/recurring-probe';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let duka: Duka;
let shopper: Shopper;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: `NGN:${2 * PRICE}` });
});
afterAll(() => duka.stop());

beforeEach(async () => {
  shopper = await Shopper.in(duka);
});

/** Switches a provider of airtime off, or on; it counts when this returns. */
async function setRoute(provider: string, enabled: boolean): Promise<void> {
  const [routes, product] = [duka.get<Routes>(Routes), 'airtime'] as const;
  await routes.enable({ product, network: '*', livemode: false, provider }, enabled);
  const inOrder = () => routes.inOrder({ product, network: 'mtn', ...shopper.owner });
  await until(async () => (await inOrder()).some(({ name }) => name === provider) === enabled, 30);
}

describe('an outcome that nobody knows', () => {
  test('keeps the hold; a requery before the provider knows changes nothing', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=failed; delay=1h');
    expect(body).toMatchObject({ status: 'processing', failure: null });
    expect(await shopper.balance()).toEqual({ available: FUNDS - TOTAL, held: TOTAL, ledger: FUNDS });
    const requeried = await shopper.account.api.post(`/v4/transactions/${body.id}/requery`);
    expect([requeried.status, requeried.body.status]).toEqual([200, 'processing']);
    await shopper.pass(2 * 60 * MINUTE);
    expect(await shopper.get(body.id)).toMatchObject({ status: 'failed', next_check_at: null });
    expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
    expect((await shopper.kindsOf(body.id)).filter((kind: string) => kind === 'provider.requery')).toHaveLength(2);
  });

  test('is never settled by time alone: after all requeries a person must decide', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=never');
    for (let check = 0; check < 14; check++) await shopper.pass(2 * DAY);
    expect(await shopper.get(body.id)).toMatchObject({ status: 'processing' });
    expect((await shopper.balance()).held).toBe(TOTAL);
    expect(
      (await shopper.eventsOf(body.id)).filter((type: string) => type === 'transaction.needs_review'),
    ).toHaveLength(1);
    const reviews = duka.get<ReviewService>(ReviewService);
    expect(await reviews.list(10)).toEqual([
      expect.objectContaining({ status: 'processing', provider: 'sandbox', decisions: [] }),
    ]);
    const key = { ...shopper.owner, id: decodeId('txn', body.id)! };
    expect(
      await reviews.resolve(key, { outcome: 'not_delivered', person: reviewer('ada'), note: 'ticket 7' }),
    ).toMatchObject({ isSettled: true });
    expect(await shopper.get(body.id)).toMatchObject({ status: 'failed', failure: { code: 'resolved_by_review' } });
    expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  });

  test('a large one is settled by two different people who agree', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=never', { amount: 2 * PRICE + 1 });
    const key = { ...shopper.owner, id: decodeId('txn', body.id)! };
    const reviews = duka.get<ReviewService>(ReviewService);
    const ada = { outcome: 'delivered', person: reviewer('ada'), note: 'seen in their portal' } as const;
    expect(await reviews.resolve(key, ada)).toMatchObject({ isSettled: false });
    await expect(reviews.resolve(key, ada)).rejects.toThrow('somebody else');
    expect((await shopper.get(body.id)).status).toBe('processing');
    expect(await reviews.resolve(key, { ...ada, person: reviewer('bola') })).toMatchObject({ isSettled: true });
    expect((await shopper.get(body.id)).status).toBe('successful');
  });

  test('an order that never arrived counts as not delivered after ten minutes and two answers: the next provider is asked', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=never');
    const operator = new Client({ connectionString: duka.env.DATABASE_URL });
    await operator.connect();
    await operator.query('DELETE FROM sandbox_orders WHERE purchase_id = $1', [decodeId('txn', body.id)]);
    await operator.end();
    await shopper.pass(MINUTE);
    expect((await shopper.get(body.id)).status).toBe('processing');
    await shopper.pass(20 * MINUTE);
    expect(await shopper.get(body.id)).toMatchObject({
      status: 'processing',
      provider: { name: 'sandbox_backup', attempts: 2 },
    });
  });

  test('nobody is asked next whose route was switched off meanwhile', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=never');
    await duka.asOwner('DELETE FROM sandbox_orders WHERE purchase_id = $1', [decodeId('txn', body.id)]);
    await setRoute('sandbox_backup', false);
    await shopper.pass(MINUTE);
    await shopper.pass(20 * MINUTE);
    await setRoute('sandbox_backup', true);
    expect(await shopper.get(body.id)).toMatchObject({
      status: 'failed',
      provider: { name: 'sandbox', attempts: 1 },
      failure: { code: 'not_known_to_provider' },
    });
    expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  });
});

test('what was delivered and taken back returns the money by a linked transaction', async () => {
  const { body } = await shopper.steer('outcome=delivered; then=reversed; delay=1m');
  expect(body.status).toBe('successful');
  await shopper.pass(2 * MINUTE);
  const reversed = await shopper.get(body.id);
  expect(reversed).toMatchObject({ status: 'reversed', reversed_by: expect.stringMatching(/^txn_/) });
  expect(await shopper.get(reversed.reversed_by)).toMatchObject({
    type: 'reversal',
    direction: 'credit',
    amount: TOTAL,
    reverses: body.id,
    status: 'successful',
  });
  expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  expect(await shopper.eventsOf(body.id)).toEqual([
    'transaction.processing',
    'transaction.successful',
    'transaction.reversed',
  ]);
});

test('a delivery that shows up after the money went back is for a person to see, and debits nothing', async () => {
  const { body } = await shopper.steer('outcome=delivered; then=reversed; delay=1m');
  await shopper.pass(2 * MINUTE);
  expect(await shopper.get(body.id)).toMatchObject({ status: 'reversed' });
  const operator = new Client({ connectionString: duka.env.DATABASE_URL });
  await operator.connect();
  await operator.query('UPDATE purchases SET scenario = NULL WHERE id = $1', [decodeId('txn', body.id)]);
  await operator.query('DELETE FROM sandbox_orders WHERE purchase_id = $1', [decodeId('txn', body.id)]);
  await operator.end();
  await shopper.pass(2 * DAY);
  expect(await shopper.eventsOf(body.id)).toContain('transaction.needs_review');
  expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
});

describe('waiting for money', () => {
  const inAnHour = () => new Date(Date.now() + 60 * MINUTE).toISOString();
  const queue = (body: object = {}) =>
    shopper.buy({ amount: 200_000, on_insufficient_funds: 'queue', deliver_by: inAnHour(), ...body });

  test('goes on when the wallet is funded', async () => {
    const { status, body } = await queue();
    expect([status, body.status, body.details.queued]).toEqual([202, 'pending', true]);
    expect(await shopper.balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
    await shopper.fund(200_000);
    await duka.get<QueuedPurchases>(QueuedPurchases).wake(shopper.owner.accountId);
    await until(async () => (await shopper.get(body.id)).status === 'successful', 30);
    expect(await shopper.balance()).toMatchObject({ held: 0, available: FUNDS + 5_000 });
  });

  test('asks whoever may be asked then, and waits on while nobody may', async () => {
    const { body } = await queue();
    await setRoute('sandbox', false);
    await setRoute('sandbox_backup', false);
    await shopper.fund(200_000);
    const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
    await waiting.payAll();
    expect(await shopper.get(body.id)).toMatchObject({ status: 'pending', details: { queued: true }, provider: null });
    expect(await shopper.balance()).toMatchObject({ held: 0 });
    await setRoute('sandbox_backup', true);
    await waiting.payAll();
    await until(async () => (await shopper.get(body.id)).status === 'successful', 30);
    expect(await shopper.get(body.id)).toMatchObject({ provider: { name: 'sandbox_backup', attempts: 1 } });
    await setRoute('sandbox', true);
  });

  test('ends with deliver_by, and nobody was asked', async () => {
    const { body } = await queue();
    await shopper.pass(2 * 60 * MINUTE);
    await shopper.fund(200_000);
    expect(await shopper.get(body.id)).toMatchObject({ status: 'cancelled', provider: null });
    expect(await shopper.eventsOf(body.id)).toEqual(['transaction.cancelled']);
  });

  test('can be cancelled until a provider is asked', async () => {
    const { body } = await queue();
    const { status, body: cancelled } = await shopper.account.api.twice('POST', `/v4/transactions/${body.id}/cancel`);
    expect([status, cancelled.status]).toEqual([200, 'cancelled']);
    expect((await shopper.account.api.post(`/v4/transactions/${body.id}/cancel`)).body.code).toBe(
      'invalid_state_transition',
    );
    const { body: sold } = await shopper.buy();
    expect((await shopper.account.api.post(`/v4/transactions/${sold.id}/cancel`)).status).toBe(409);
    expect((await shopper.account.api.post(`/v4/transactions/${sold.id}/requery`)).status).toBe(409);
  });

  test('needs deliver_by, in the future', async () => {
    expect((await queue({ deliver_by: null })).body).toMatchObject({ code: 'validation_failed', param: '/deliver_by' });
    expect((await queue({ deliver_by: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      code: 'validation_failed',
      param: '/deliver_by',
    });
  });
});

import { RefundReviewService } from '../src/modules/payments/refund-review.service';
import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { REFUND_OUTCOMES } from '../src/modules/payments/sandbox/sandbox-refunds';
import type { Reversal } from '../src/modules/payments/gateway';
import { decodeId } from '../src/core/http/ids';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';

let duka: Duka;
/** A second process on the same database. */
let twin: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: '1000000' });
  twin = await duka.twin();
});
afterAll(async () => {
  await twin?.stop();
  await duka?.stop();
});
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const AMOUNT = 100_000;
const DAYS = 86_400;

async function paid(): Promise<string> {
  const { id } = await payer.asked();
  await payer.complete(id, 'successful');
  await payer.api.post(`/v4/sandbox/wallets/${payer.wallet}/credit`, { amount: 1_500 });
  return id;
}

const refund = (id: string, amount?: number, more: object = {}) =>
  payer.api.post(`/api/v1/payments/${id}/refunds`, { amount, allow_duplicate: true, ...more });
const get = async (id: string) => (await payer.api.get(`/api/v1/refunds/${id}`)).body;
const resolve = (id: string, outcome: 'successful' | 'failed') =>
  duka
    .get<RefundReviewService>(RefundReviewService)
    .resolve(
      { ...payer.keyOf(''), id: decodeId('rfd', id)! },
      { outcome, person: reviewer('ada'), note: 'statement of today' },
    );

describe('what the amount makes the gateway do', () => {
  it.each(REFUND_OUTCOMES)('$outcome', async ({ suffix, final }) => {
    const id = await paid();
    const amount = 10_000 + Number(suffix);
    const { status, body } = await refund(id, amount);
    expect([201, 202]).toContain(status);
    for (let i = 0; i < 15 && ['pending', 'processing'].includes((await get(body.id)).status); i++)
      await payer.advance(2 * DAYS);
    const ended = await get(body.id);
    expect([ended.status, ended.needs_review]).toEqual([final.status, final.needs_review]);
    const spent = ended.status === 'failed' ? 0 : amount;
    const { available, held } = await payer.api.balance(payer.wallet);
    expect([available, held]).toEqual([AMOUNT - spent, ended.status === 'processing' ? amount : 0]);
    expect(await payer.get(id)).toMatchObject({
      amount_refunded: ended.status === 'successful' ? amount : 0,
      refundable: AMOUNT - spent,
    });
    expect(await payer.bank['refunds'].given(payer.keyOf(id).accountId, payer.keyOf(id).id)).toHaveLength(
      ended.status === 'successful' ? 1 : 0,
    );
    if (ended.needs_review) await resolve(body.id, 'failed');
  });
});

/** What the gateway says from now on that it gave back of a payment. */
const givesBack = (id: string, ...reversals: readonly Reversal[]) =>
  payer.answering(() => ({
    outcome: 'reversed',
    code: 'refunded',
    message: 'Back.',
    gatewayReference: `sbx_${id.slice(4)}`,
    amount: 100_000n,
    currency: 'NGN',
    reversals,
  }));

describe('a gateway that does not know of a refund', () => {
  it('is asked for it again after two such answers in a row, and ten minutes: it may be slow', async () => {
    const id = await paid();
    const asked = jest.spyOn(payer.bank, 'refund');
    const looked = jest.spyOn(payer.bank, 'findRefund');
    const { body } = await refund(id, 20_905);
    for (const seconds of [10, 30, 60, 180]) await payer.advance(seconds);
    expect([asked.mock.calls.length, looked.mock.calls.length]).toEqual([1, 4]);
    looked.mockResolvedValueOnce({ outcome: 'unknown', code: 'no_answer' });
    await payer.advance(600);
    await payer.advance(1_200);
    expect([asked.mock.calls.length, looked.mock.calls.length]).toEqual([1, 6]);
    await payer.advance(2_400);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(await get(body.id)).toMatchObject({ status: 'successful', needs_review: false });
    expect(await payer.balance()).toBe(AMOUNT - 20_905);
  });
});

describe('a refund that nobody answers for', () => {
  const silent = async (id: string) => {
    const { body } = await refund(id, 20_903);
    expect(body).toMatchObject({ status: 'processing', gateway_reference: null });
    for (let i = 0; i < 15 && !(await get(body.id)).needs_review; i++) await payer.advance(2 * DAYS);
    expect(await get(body.id)).toMatchObject({ status: 'processing', needs_review: true });
    return body.id as string;
  };

  it('is settled by a person: the money leaves, or is back, and no clock did it', async () => {
    const id = await paid();
    const first = await silent(id);
    expect(await payer.api.balance(payer.wallet)).toMatchObject({ available: AMOUNT - 20_903, held: 20_903 });
    expect((await resolve(first, 'failed')).refund).toMatchObject({ status: 'failed' });
    expect(await payer.api.balance(payer.wallet)).toMatchObject({ available: AMOUNT, held: 0 });
    await expect(resolve(first, 'successful')).rejects.toMatchObject({ details: { code: 'invalid_state_transition' } });
    const second = await silent(id);
    await resolve(second, 'successful');
    expect(await get(second)).toMatchObject({ status: 'successful', needs_review: false });
    expect(await payer.api.balance(payer.wallet)).toMatchObject({ available: AMOUNT - 20_903, held: 0 });
    expect(await payer.events(second)).toEqual(['refund.processing', 'refund.needs_review', 'refund.successful']);
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 20_903, refundable: AMOUNT - 20_903 });
  });

  it('and that the payment tells of is settled by that, once', async () => {
    const id = await paid();
    const { body } = await refund(id, 20_903);
    givesBack(id, { gatewayReference: 'x', amount: 20_903n, reference: body.id });
    await payer.call(payer.signed(id, 'reversed'));
    await payer.call(payer.signed(id, 'reversed'));
    expect(await get(body.id)).toMatchObject({ status: 'successful', gateway_reference: 'x' });
    expect(await payer.get(id)).toMatchObject({
      status: 'successful',
      amount_refunded: 20_903,
      needs_review: false,
      details: expect.not.objectContaining({ reversals: expect.anything() }),
    });
    expect(await payer.balance()).toBe(AMOUNT - 20_903);
  });

  it('keeps a reversal without a name waiting: it may be the refund', async () => {
    const id = await paid();
    const { body } = await refund(id, 20_903);
    givesBack(id, { gatewayReference: 'x', amount: 20_903n });
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 0, needs_review: false });
    expect(await payer.api.balance(payer.wallet)).toMatchObject({ available: AMOUNT - 20_903, held: 20_903 });
    for (let i = 0; i < 15 && !(await get(body.id)).needs_review; i++) await payer.advance(2 * DAYS);
    await resolve(body.id, 'successful');
    // What a person settled has no name there: the reversal of its amount is it.
    await payer.advance(2 * DAYS);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 20_903 });
    expect(await payer.balance()).toBe(AMOUNT - 20_903);
  });
});

describe('what the gateway gives back by itself', () => {
  it('beside a refund is a reversal, counted once each', async () => {
    const id = await paid();
    await refund(id, 40_000);
    await payer.complete(id, 'reversed');
    // The rest, by a chargeback: 60 % of the fee comes back with it.
    expect(await payer.get(id)).toMatchObject({
      status: 'successful',
      amount_refunded: AMOUNT,
      refundable: 0,
      needs_review: false,
    });
    expect(await payer.balance()).toBe(AMOUNT - 40_000 - 59_100);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.balance()).toBe(900);
    expect(await refund(id, 1)).toMatchObject({ status: 422 });
  });

  it('is left to a person when it is more than our refunds left', async () => {
    const id = await paid();
    const { body } = await refund(id, 40_000);
    givesBack(id, { gatewayReference: 'c', amount: 100_000n });
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 40_000, needs_review: true, refundable: 0 });
    expect(await payer.balance()).toBe(60_000);
    expect(await get(body.id)).toMatchObject({ status: 'successful' });
    expect(await refund(id, 1)).toMatchObject({ status: 409 });
  });
});

describe('a refund that its gateway made twice', () => {
  it('under our reference is a reversal the second time: the payer has the money twice', async () => {
    const id = await paid();
    const { body } = await refund(id, 40_000);
    const own = { gatewayReference: body.gateway_reference, amount: 40_000n, reference: body.id };
    givesBack(id, { ...own, gatewayReference: 'again' }, own);
    await payer.call(payer.signed(id, 'reversed'));
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', amount_refunded: 80_000, needs_review: false });
    // With it comes its part of the fee, as of any reversal.
    expect(await payer.balance()).toBe(AMOUNT - 40_000 - 39_400);
    const [taken] = (await payer.api.get(`/v4/transactions?wallet_id=${payer.wallet}&type=reversal`)).body.data;
    expect(taken).toMatchObject({ amount: 39_400, details: { payment_id: id, gateway_reference: 'again' } });
    expect(await payer.events(id)).toEqual(['payment.successful', 'payment.partially_reversed']);
  });

  it('is so even where the refund was settled by what the payment tells', async () => {
    const id = await paid();
    const { body } = await refund(id, 20_903);
    const own = { gatewayReference: 'first', amount: 20_903n, reference: body.id };
    givesBack(id, own, { ...own, gatewayReference: 'again' });
    await payer.call(payer.signed(id, 'reversed'));
    expect(await get(body.id)).toMatchObject({ status: 'successful', gateway_reference: 'first' });
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 41_806, needs_review: false });
  });

  it('and of whose first one the gateway tells by another name counts each once', async () => {
    const id = await paid();
    const { body } = await refund(id, 40_000);
    const own = { gatewayReference: 'renamed', amount: 40_000n, reference: body.id };
    givesBack(id, own);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 40_000, needs_review: false });
    givesBack(id, own, { ...own, gatewayReference: body.gateway_reference });
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 80_000, needs_review: false });
  });
});

describe('a wrong answer', () => {
  it('that gives back another amount than before is left to a person', async () => {
    const id = await paid();
    const { body } = await refund(id, 40_000);
    givesBack(id, { gatewayReference: body.gateway_reference, amount: 50_000n, reference: body.id });
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 40_000, needs_review: true });
    expect(await payer.balance()).toBe(AMOUNT - 40_000);
  });

  it('that gives back another amount is left to a person', async () => {
    const id = await paid();
    jest
      .spyOn(payer.bank, 'refund')
      .mockResolvedValue({ outcome: 'refunded', gatewayReference: 'g', amount: 1n } as never);
    const { body } = await refund(id, 40_000);
    expect(body).toMatchObject({ status: 'processing', needs_review: true });
    expect(await payer.api.balance(payer.wallet)).toMatchObject({ held: 40_000 });
    await resolve(body.id, 'failed');
  });

  it.each([1n, 40_000n])('that is told with its payment (%s) is left to the person who was called', async (amount) => {
    const id = await paid();
    jest
      .spyOn(payer.bank, 'refund')
      .mockResolvedValue({ outcome: 'refunded', gatewayReference: 'g', amount: 1n } as never);
    const { body } = await refund(id, 40_000);
    const before = await get(body.id);
    expect(before).toMatchObject({ status: 'processing', needs_review: true });
    givesBack(id, { gatewayReference: 'g', amount, reference: body.id });
    for (let i = 0; i < 3; i++) await payer.call(payer.signed(id, 'reversed'));
    expect(await get(body.id)).toEqual(before);
    expect(await payer.events(body.id)).toEqual(['refund.processing', 'refund.needs_review']);
    const [stored] = await duka.asOwner('SELECT reviews FROM refunds WHERE id = $1', [decodeId('rfd', body.id)]);
    expect(stored).toEqual({ reviews: 1 });
    await resolve(body.id, 'failed');
  });

  it('that names one refund for two counts once', async () => {
    const id = await paid();
    const answer = { outcome: 'refunded', gatewayReference: 'same', amount: 10_000n } as const;
    jest.spyOn(payer.bank, 'refund').mockResolvedValue(answer as never);
    expect((await refund(id, 10_000)).body).toMatchObject({ status: 'successful' });
    const { body } = await refund(id, 10_000);
    expect(body).toMatchObject({ status: 'processing', needs_review: true });
    await resolve(body.id, 'failed');
    expect(await payer.balance()).toBe(AMOUNT - 10_000);
  });
});

describe('twenty at once, over two processes', () => {
  it('never give back more than was received', async () => {
    const id = await paid();
    await payer.api.post(`/v4/sandbox/wallets/${payer.wallet}/credit`, { amount: 5 * AMOUNT });
    const asked = jest.spyOn(payer.bank, 'refund');
    const elsewhere = twin.api(payer.api.secret);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? elsewhere : payer.api).post(`/api/v1/payments/${id}/refunds`, { amount: 15_000, reference: `r${i}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(answers.filter(({ body }) => body.code === 'refund_exceeds_payment')).toHaveLength(14);
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 90_000, refundable: 10_000 });
    expect(await payer.balance()).toBe(6 * AMOUNT - 90_000);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(6);
  });
});

describe('another amount than was asked for', () => {
  it.each(['underpaid', 'overpaid'])('%s goes back by itself where that was agreed', async (outcome) => {
    const { id } = await payer.asked({ [`on_${outcome}`]: 'refund' });
    await payer.complete(id, outcome);
    const received = outcome === 'underpaid' ? 99_999 : 100_001;
    expect(await payer.get(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'to_be_refunded' },
      resolution: 'refund_payer',
      amount_received: received,
      amount_refunded: received,
      refundable: 0,
      needs_review: false,
    });
    const { data } = (await payer.api.get(`/api/v1/payments/${id}/refunds`)).body;
    expect(data).toEqual([
      expect.objectContaining({ status: 'successful', amount: received, wallet_id: null, transaction_id: null }),
    ]);
    expect(await payer.balance()).toBe(0);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ amount_refunded: received, needs_review: false });
  });

  it.each(['underpaid', 'overpaid'])('%s is credited by itself where that was agreed', async (outcome) => {
    const { id } = await payer.asked({ [`on_${outcome}`]: 'accept_received' });
    await payer.complete(id, outcome);
    const received = outcome === 'underpaid' ? 99_999 : 100_001;
    expect(await payer.get(id)).toMatchObject({
      status: 'successful',
      resolution: 'accept_received',
      amount_received: received,
      refundable: received,
    });
    expect(await payer.balance()).toBe(received - 1_500);
  });

  it('is for a person where nothing was agreed, and in another currency always', async () => {
    const { id } = await payer.asked({ on_underpaid: 'refund', on_overpaid: 'accept_received' });
    await payer.complete(id, 'wrong_currency');
    expect(await payer.get(id)).toMatchObject({ needs_review: true, amount_refunded: 0 });
    await duka
      .get<PaymentReviewService>(PaymentReviewService)
      .resolve(payer.keyOf(id), { outcome: 'refund_payer', person: reviewer('ada'), note: 'as the payer asks' });
    expect(await payer.get(id)).toMatchObject({ status: 'failed', amount_refunded: 100_000 });
    const { data } = (await payer.api.get(`/api/v1/payments/${id}/refunds`)).body;
    expect(data).toEqual([expect.objectContaining({ status: 'successful', currency: 'USD', amount: 100_000 })]);
  });
});

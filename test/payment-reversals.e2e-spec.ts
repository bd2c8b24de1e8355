import { DataSource } from 'typeorm';
import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const AMOUNT = 100_000;
const NET = 98_500;

/** A gateway that has the money and gave these parts of it back. */
const givesBack = (...parts: [reference: string, amount: bigint][]) =>
  payer.answering(() => ({
    outcome: 'reversed',
    code: 'refunded',
    message: 'Given back.',
    gatewayReference: 'g',
    amount: 100_000n,
    currency: 'NGN',
    reversals: parts.map(([gatewayReference, amount]) => ({ gatewayReference, amount })),
  }));
const has = (amount = 100_000n) =>
  payer.answering(() => ({ outcome: 'successful', gatewayReference: 'g', amount, currency: 'NGN' }));

async function paid(): Promise<string> {
  const payment = await payer.asked();
  await payer.start(payment);
  has();
  await payer.call(payer.signed(payment.id));
  expect(await payer.get(payment.id)).toMatchObject({ status: 'successful', amount_refunded: 0 });
  return payment.id;
}

const reversalsOf = async (): Promise<any[]> => (await payer.api.get('/v4/transactions?type=reversal')).body.data;

describe('a part that the gateway gave back', () => {
  it('leaves the wallet, and the payment says how much; the rest follows', async () => {
    const id = await paid();
    givesBack(['r1', 40_000n]);
    await payer.call(payer.signed(id, 'reversed'));
    const after = await payer.get(id);
    expect(after).toMatchObject({
      status: 'successful',
      amount_received: AMOUNT,
      amount_refunded: 40_000,
      needs_review: false,
    });
    // The fee comes back in proportion: 600 of 1,500.
    expect(await payer.balance()).toBe(NET - 39_400);
    expect(await reversalsOf()).toEqual([
      expect.objectContaining({
        direction: 'debit',
        amount: 39_400,
        reverses: after.transaction_id,
        details: expect.objectContaining({ payment_id: id, gateway_reference: 'r1' }),
      }),
    ]);
    expect((await payer.api.get(`/v4/transactions/${after.transaction_id}`)).body).toMatchObject({
      status: 'successful',
      reversed_by: null,
    });

    givesBack(['r1', 40_000n], ['r2', 60_000n]);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'reversed', amount_refunded: AMOUNT });
    expect(await payer.balance()).toBe(0);
    expect(await payer.events(id)).toEqual(['payment.successful', 'payment.partially_reversed', 'payment.reversed']);
    expect((await payer.api.get(`/v4/transactions/${after.transaction_id}`)).body).toMatchObject({
      status: 'reversed',
      reversed_by: (await reversalsOf())[0].id,
    });
  });

  it('leaves when the payment was paid and its credit completed, and is not looked at again', async () => {
    const id = await paid();
    const { paid_at: paidAt, transaction_id: credit } = await payer.get(id);
    const { completed_at: completedAt } = (await payer.api.get(`/v4/transactions/${credit}`)).body;
    expect([typeof paidAt, typeof completedAt]).toEqual(['string', 'string']);
    await payer.advance(3_600);
    givesBack(['r1', 100_000n]);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'reversed', paid_at: paidAt });
    expect((await payer.api.get(`/v4/transactions/${credit}`)).body).toMatchObject({
      status: 'reversed',
      completed_at: completedAt,
      next_check_at: null,
    });
  });

  it('counts once, however often and however many at once the gateway tells of it', async () => {
    const id = await paid();
    givesBack(['r1', 10_000n], ['r2', 10_000n]);
    for (let i = 0; i < 3; i++)
      await Promise.all(Array.from({ length: 8 }, () => payer.call(payer.signed(id, 'reversed'))));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', amount_refunded: 20_000, needs_review: false });
    expect(await reversalsOf()).toHaveLength(2);
    expect(await payer.balance()).toBe(NET - 19_700);
  });

  it('of what nobody had heard of is taken after the credit', async () => {
    const payment = await payer.asked();
    await payer.start(payment);
    givesBack(['r1', 1n]);
    await payer.call(payer.signed(payment.id, 'reversed'));
    expect(await payer.get(payment.id)).toMatchObject({ status: 'successful', amount_refunded: 1 });
    expect(await payer.balance()).toBe(NET - 1);
  });

  it('down to the last unit leaves nothing over and nothing missing', async () => {
    const { id, ...payment } = await payer.asked({ amount: 7 });
    await payer.start(payment as never);
    payer.answering(() => ({ outcome: 'successful', gatewayReference: 'g', amount: 7n, currency: 'NGN' }));
    await payer.call(payer.signed(id));
    for (let parts = 1; parts <= 7; parts++) {
      payer.answering(() => ({
        outcome: 'reversed',
        code: 'refunded',
        message: '',
        gatewayReference: 'g',
        amount: 7n,
        currency: 'NGN',
        reversals: Array.from({ length: parts }, (_, i) => ({ gatewayReference: `r${i}`, amount: 1n })),
      }));
      await payer.call(payer.signed(id, 'reversed'));
      expect(await payer.get(id)).toMatchObject({
        amount_refunded: parts,
        status: parts === 7 ? 'reversed' : 'successful',
      });
    }
    expect(await payer.balance()).toBe(0);
  });

  it('that the wallet cannot give back waits for a person, who takes just that', async () => {
    const id = await paid();
    await payer.api.transfer(payer.wallet, await payer.api.wallet(), NET);
    givesBack(['r1', 40_000n]);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: true, amount_refunded: 40_000 });
    await payer.api.credit(payer.wallet, 39_400);
    await duka
      .get<PaymentReviewService>(PaymentReviewService)
      .resolve(payer.keyOf(id), { outcome: 'reversed', person: reviewer('ada'), note: 'statement' });
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: false, amount_refunded: 40_000 });
    expect(await payer.balance()).toBe(0);
  });

  it.each<[string, [string, bigint][]]>([
    ['is another amount than before', [['r1', 50_000n]]],
    ['is gone', [['r2', 40_000n]]],
  ])('that %s waits for a person', async (_, parts) => {
    const id = await paid();
    givesBack(['r1', 40_000n]);
    await payer.call(payer.signed(id, 'reversed'));
    givesBack(...parts);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: true, amount_refunded: 40_000 });
    expect(await payer.balance()).toBe(NET - 39_400);
  });

  it.each<[string, object]>([
    ['more than came', { reversals: [{ gatewayReference: 'r', amount: 100_001n }] }],
    ['no parts', { reversals: [] }],
    [
      'a part twice',
      {
        reversals: [
          { gatewayReference: 'r', amount: 1n },
          { gatewayReference: 'r', amount: 1n },
        ],
      },
    ],
    ['a part without an amount', { reversals: [{ gatewayReference: 'r' }] }],
  ])('with %s is no answer', async (_, wrong) => {
    const id = await paid();
    payer.answering(() => ({
      outcome: 'reversed',
      code: 'refunded',
      message: '',
      gatewayReference: 'g',
      amount: 100_000n,
      currency: 'NGN',
      ...wrong,
    }));
    await payer.call(payer.signed(id, 'processing'));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: false, amount_refunded: 0 });
    expect(await payer.balance()).toBe(NET);
  });

  it('of what a person refused, and the gateway does not refund, is told and moves nothing', async () => {
    jest
      .spyOn(payer.bank, 'refund')
      .mockResolvedValue({
        outcome: 'not_refunded',
        about: 'order',
        code: 'refund_refused',
        message: 'No.',
        recovery: 'none',
      });
    const payment = await payer.asked();
    await payer.complete(payment.id, 'underpaid');
    const reviews = duka.get<PaymentReviewService>(PaymentReviewService);
    await reviews.resolve(payer.keyOf(payment.id), {
      outcome: 'refund_payer',
      person: reviewer('ada'),
      note: 'statement',
    });
    await payer.complete(payment.id, 'partially_reversed');
    const due = async () =>
      (await reviews.listRefundsDue(100)).find(({ id }) => id === payer.keyOf(payment.id).id)?.amount;
    expect([(await payer.get(payment.id)).amount_refunded, await due()]).toEqual([49_999, '50000']);
    await payer.complete(payment.id, 'reversed');
    expect([(await payer.get(payment.id)).amount_refunded, await due(), await payer.balance()]).toEqual([
      99_999,
      undefined,
      0,
    ]);
  });
});

describe('a callback that contradicts the gateway', () => {
  it('marks the payment for a person, and what the gateway says later still counts', async () => {
    const id = await paid();
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: true, amount_refunded: 0 });
    expect(await payer.balance()).toBe(NET);
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.events(id)).toEqual(['payment.successful', 'payment.needs_review']);
    givesBack(['r1', 40_000n]);
    await payer.advance(86_401);
    expect(await payer.get(id)).toMatchObject({ status: 'successful', needs_review: false, amount_refunded: 40_000 });
  });

  it('says paid of what failed', async () => {
    const payment = await payer.asked();
    await payer.start(payment);
    payer.answering(() => ({ outcome: 'failed', about: 'order', code: 'declined', message: 'No.', recovery: 'none' }));
    await payer.call(payer.signed(payment.id, 'successful'));
    expect(await payer.get(payment.id)).toMatchObject({ status: 'failed', needs_review: true });
  });

  it('is none when it says what is over: an earlier failure, or the success before a reversal', async () => {
    const id = await paid();
    await payer.call(payer.signed(id, 'failed'));
    givesBack(['r1', 100_000n]);
    await payer.call(payer.signed(id, 'successful'));
    expect(await payer.get(id)).toMatchObject({ status: 'reversed', needs_review: false });
  });
});

it('in the sandbox gives back half of what is left, each time', async () => {
  const { id } = await payer.asked();
  await payer.complete(id, 'successful');
  expect((await payer.complete(id, 'partially_reversed')).body).toMatchObject({
    status: 'successful',
    amount_refunded: 50_000,
  });
  expect((await payer.complete(id, 'partially_reversed')).body).toMatchObject({
    status: 'successful',
    amount_refunded: 75_000,
  });
  expect((await payer.complete(id, 'reversed')).body).toMatchObject({ status: 'reversed', amount_refunded: AMOUNT });
  expect(await payer.balance()).toBe(0);
});

it('what the gateway says of a payment is kept, word by word', async () => {
  const id = await paid();
  const rows = await duka
    .get<DataSource>(DataSource)
    .query('SELECT outcome, amount, currency FROM payment_checks WHERE payment_id = $1 AND call = $2', [
      payer.keyOf(id).id,
      'query',
    ]);
  expect(rows).toContainEqual({ outcome: 'successful', amount: '100000', currency: 'NGN' });
});

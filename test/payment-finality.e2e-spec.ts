import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { Requeries } from '../src/providers/requeries';
import { isFinal, PAYMENT_STATUSES, type PaymentStatus } from '../src/modules/payments/payment.entity';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
afterEach(() => jest.restoreAllMocks());

const CAME = { gatewayReference: 'g', amount: 100_000n, currency: 'NGN' };
const ANSWERS: Record<string, object> = {
  awaiting: { outcome: 'awaiting' },
  processing: { outcome: 'processing' },
  not_known: { outcome: 'not_known' },
  unknown: { outcome: 'unknown', code: 'x' },
  failed: { outcome: 'failed', about: 'order', code: 'declined', message: 'No.', recovery: 'none' },
  successful: { outcome: 'successful', ...CAME },
  reversed: {
    outcome: 'reversed',
    code: 'refunded',
    message: '',
    ...CAME,
    reversals: [{ gatewayReference: 'r', amount: 100_000n }],
  },
};

type Deed = (payer: Payer, id: string) => Promise<unknown>;
const callbackAnd =
  (answer: string): Deed =>
  (payer, id) => {
    payer.answering(() => ANSWERS[answer]);
    return payer.call(payer.signed(id, 'processing'));
  };
const INPUTS: Record<string, Deed> = {
  ...Object.fromEntries(
    Object.keys(ANSWERS).map((answer) => [`a callback, and the gateway says ${answer}`, callbackAnd(answer)]),
  ),
  'a cancellation': (payer, id) => payer.api.post(`/api/v1/payments/${id}/cancel`),
  'its expiry': async (payer) => {
    payer.answering(() => ANSWERS.awaiting);
    await payer.advance(90_000);
    await duka.get<Requeries>(Requeries).sweep();
  },
  ...Object.fromEntries(
    (['accept_received', 'accept_requested', 'refund_payer', 'failed', 'reversed', 'unchanged'] as const).map(
      (outcome): [string, Deed] => [
        `a decision that nobody asked for: ${outcome}`,
        (payer, id) =>
          duka
            .get<PaymentReviewService>(PaymentReviewService)
            .resolve(payer.keyOf(id), { outcome, person: reviewer('ada'), note: 'x' })
            .catch(() => null),
      ],
    ),
  ),
};

/** The only cells of a final state in which something may follow: a reversal, and what contradicts, which is for a person. */
const FOLLOWS: Partial<Record<PaymentStatus, readonly string[]>> = {
  successful: ['failed', 'reversed'],
  failed: ['successful'],
  expired: ['successful'],
  cancelled: ['successful'],
  reversed: ['successful'],
};

const ENDINGS: Record<string, Deed> = {
  successful: callbackAnd('successful'),
  failed: callbackAnd('failed'),
  expired: async (payer) => {
    payer.answering(() => ANSWERS.awaiting);
    await payer.advance(7_200);
  },
  cancelled: (payer, id) => payer.api.post(`/api/v1/payments/${id}/cancel`),
  reversed: async (payer, id) => {
    await callbackAnd('successful')(payer, id);
    await callbackAnd('reversed')(payer, id);
  },
};

async function ended(status: string): Promise<{ payer: Payer; id: string }> {
  const payer = await Payer.of(duka);
  const payment = await payer.asked({ expires_in: 3_600 });
  await payer.start(payment);
  await ENDINGS[status]!(payer, payment.id);
  expect((await payer.get(payment.id)).status).toBe(status);
  return { payer, id: payment.id };
}

const seen = async (payer: Payer, id: string) => {
  const { version: _, ...payment } = await payer.get(id);
  return {
    payment,
    balance: await payer.balance(),
    events: await payer.events(id),
    transactions: (await payer.api.get('/v4/transactions')).body.data,
  };
};

it('covers every final state', () => {
  expect(Object.keys(ENDINGS).sort()).toEqual(PAYMENT_STATUSES.filter(isFinal).sort());
});

describe.each(Object.keys(ENDINGS))('a payment that is %s', (status) => {
  const follows = (FOLLOWS[status as PaymentStatus] ?? []).map(
    (answer) => `a callback, and the gateway says ${answer}`,
  );
  const outside = Object.keys(INPUTS).filter((input) => !follows.includes(input));

  it.each(outside)('is not changed by %s, and nobody is told', async (input) => {
    const { payer, id } = await ended(status);
    const before = await seen(payer, id);
    await INPUTS[input]!(payer, id);
    expect(await seen(payer, id)).toEqual(before);
  });

  it.each(follows)('is followed by %s as the table says: a reversal, or a person', async (input) => {
    const { payer, id } = await ended(status);
    await INPUTS[input]!(payer, id);
    const { status: after, needs_review: needsReview } = await payer.get(id);
    expect([after === status, needsReview]).toEqual(
      status === 'successful' && input.endsWith('reversed') ? [false, false] : [true, true],
    );
  });
});

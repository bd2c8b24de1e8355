import { DECISIONS, PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { Requeries } from '../src/providers/requeries';
import { isFinal, PAYMENT_STATUSES } from '../src/modules/payments/payment.entity';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';
import { describeStates } from './support/state-table';

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
  'successful, with too little': { outcome: 'successful', ...CAME, amount: 90_000n },
  reversed: {
    outcome: 'reversed',
    code: 'refunded',
    message: '',
    ...CAME,
    reversals: [{ gatewayReference: 'r', amount: 100_000n }],
  },
};

interface Made {
  readonly payer: Payer;
  readonly id: string;
}
type Deed = (made: Made) => Promise<unknown>;
const says =
  (answer: string, claimed = 'processing'): Deed =>
  ({ payer, id }) => {
    payer.answering(() => ANSWERS[answer]);
    return payer.call(payer.signed(id, claimed));
  };
const cancelled: Deed = ({ payer, id }) => payer.api.post(`/api/v1/payments/${id}/cancel`);
const INPUTS: Record<string, Deed> = {
  ...Object.fromEntries(Object.keys(ANSWERS).map((answer) => [`the gateway says ${answer}`, says(answer)])),
  cancelled,
  'its expiry': async ({ payer }) => {
    payer.answering(() => ANSWERS.awaiting);
    // Whoever is asked once a day is asked within this time.
    await payer.advance(2 * 86_400);
    await duka.get<Requeries>(Requeries).sweep();
  },
  ...Object.fromEntries(
    DECISIONS.map((outcome): [string, Deed] => [
      `resolved ${outcome}`,
      ({ payer, id }) =>
        duka
          .get<PaymentReviewService>(PaymentReviewService)
          .resolve(payer.keyOf(id), { outcome, person: reviewer('ada'), note: 'x' })
          .catch(() => null),
    ]),
  ),
};

const asked = async (): Promise<Made> => {
  const payer = await Payer.of(duka);
  return { payer, id: (await payer.asked({ expires_in: 3_600 })).id };
};
const after =
  (...deeds: Deed[]) =>
  async (): Promise<Made> => {
    const made = await asked();
    await made.payer.start(await made.payer.get(made.id));
    for (const deed of deeds) await deed(made);
    return made;
  };
const expired: Deed = async ({ payer }) => {
  payer.answering(() => ANSWERS.awaiting);
  await payer.advance(7_200);
};
const unanswered: Deed = async (made) => {
  await duka.asOwner('UPDATE payments SET checks = 20 WHERE id = $1', [made.payer.keyOf(made.id).id]);
  await says('unknown')(made);
};
const STATES = {
  pending: asked,
  'pending, at a gateway': after(),
  processing: after(says('processing')),
  'processing+ unanswered': after(says('processing'), unanswered),
  'processing+ paid too little': after(says('successful, with too little')),
  successful: after(says('successful')),
  'successful+': after(says('successful'), says('failed')),
  failed: after(says('failed')),
  'failed+': after(says('failed'), says('successful')),
  'failed+ by a callback': after(says('failed', 'successful')),
  expired: after(expired),
  'expired+': after(expired, says('successful')),
  cancelled: after(cancelled),
  'cancelled+': after(cancelled, says('successful')),
  reversed: after(says('successful'), says('reversed')),
  'reversed+': after(says('successful'), says('reversed'), says('successful')),
};

const OPEN = {
  'the gateway says failed': 'failed',
  'the gateway says successful': 'successful',
  'the gateway says successful, with too little': 'processing+',
  // It came and went before anybody heard of it.
  'the gateway says reversed': 'failed',
};
/** It came after all: only a person may believe it. */
const late = (status: string): Record<string, string> => ({
  'the gateway says successful': `${status}+`,
  'the gateway says successful, with too little': `${status}+`,
});
const DECIDED = { 'resolved accept_received': 'successful', 'resolved accept_requested': 'successful' };
const decided = (status: string): Record<string, string> => ({
  ...DECIDED,
  'resolved refund_payer': status,
  'resolved unchanged': status,
});
const FOLLOWS: Record<keyof typeof STATES, Record<string, string>> = {
  pending: { cancelled: 'cancelled', 'its expiry': 'expired' },
  'pending, at a gateway': {
    ...OPEN,
    'the gateway says processing': 'processing',
    cancelled: 'cancelled',
    'its expiry': 'expired',
  },
  processing: { ...OPEN, 'its expiry': 'failed' },
  'processing+ unanswered': { ...OPEN, ...DECIDED, 'resolved failed': 'failed', 'its expiry': 'failed' },
  'processing+ paid too little': { ...DECIDED, 'resolved failed': 'failed', 'resolved refund_payer': 'failed' },
  successful: {
    'the gateway says failed': 'successful+',
    'the gateway says successful, with too little': 'successful+',
    'the gateway says reversed': 'reversed',
  },
  'successful+': { 'resolved reversed': 'reversed', 'resolved unchanged': 'successful' },
  failed: late('failed'),
  'failed+': decided('failed'),
  // Only an alarm: nobody has said yet that anything came.
  'failed+ by a callback': { ...late('failed'), ...DECIDED, 'resolved unchanged': 'failed' },
  expired: late('expired'),
  'expired+': decided('expired'),
  cancelled: late('cancelled'),
  'cancelled+': decided('cancelled'),
  reversed: late('reversed'),
  'reversed+': { 'resolved unchanged': 'reversed' },
};

/** All that stands about a payment, but when it was looked at while it is open. */
async function seen({ payer, id }: Made): Promise<object> {
  const { version: _, updated_at: updatedAt, ...payment } = await payer.get(id);
  return {
    payment,
    updatedAt: isFinal(payment.status) && updatedAt,
    balance: await payer.balance(),
    events: await payer.events(id),
    transactions: (await payer.api.get('/v4/transactions')).body.data,
  };
}

describeStates('a payment', {
  statuses: PAYMENT_STATUSES,
  states: STATES,
  inputs: INPUTS,
  follows: FOLLOWS,
  looksOf: ({ payer, id }) => payer.get(id),
  seen,
});

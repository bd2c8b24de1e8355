import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import type { RefundFound } from '../src/modules/payments/gateway';
import { REFUND_DECISIONS, RefundReviewService } from '../src/modules/payments/refund-review.service';
import { REFUND_STATUSES } from '../src/modules/payments/refunds/refund.entity';
import { RefundRun } from '../src/modules/payments/refunds/refund-run';
import { Approvals } from '../src/modules/transactions/approvals';
import { Requeries } from '../src/providers/requeries';
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

const PAID = 100_000;
const AMOUNT = 40_000;
/** Of `AMOUNT`, what the wallet was credited. */
const NET = 39_400;
const DAY = 86_400;

const ANSWERS: Record<string, RefundFound> = {
  refunded: { outcome: 'refunded', gatewayReference: 'r', amount: BigInt(AMOUNT) },
  'refunded too little': { outcome: 'refunded', gatewayReference: 'r', amount: 1n },
  not_refunded: { outcome: 'not_refunded', about: 'order', code: 'declined', message: 'No.', recovery: 'none' },
  accepted: { outcome: 'accepted' },
  unknown: { outcome: 'unknown', code: 'x' },
  not_known: { outcome: 'not_known' },
};

interface Made {
  readonly payer: Payer;
  readonly payment: string;
  readonly id: string;
  readonly transaction: string;
}
type Deed = (made: Made) => Promise<unknown>;

const keyOf = ({ payer, id }: Made) => ({ ...payer.keyOf(''), id: decodeId('rfd', id)! });
const silent = ({ payer }: Pick<Made, 'payer'>): void => {
  jest.spyOn(payer.bank, 'refund').mockResolvedValue({ outcome: 'unknown', code: 'x' });
  jest.spyOn(payer.bank, 'findRefund').mockResolvedValue({ outcome: 'unknown', code: 'x' });
};
const found =
  (answer: string): Deed =>
  async (made) => {
    silent(made);
    jest.spyOn(made.payer.bank, 'findRefund').mockResolvedValue(ANSWERS[answer]!);
    await duka.get<RefundRun>(RefundRun).look(keyOf(made));
  };
/** A callback, and the payment says that the money went back. */
const told: Deed = async (made) => {
  silent(made);
  made.payer.answering(() => ({
    outcome: 'reversed',
    code: 'refunded',
    message: '',
    gatewayReference: `sbx_${made.payment.slice(4)}`,
    amount: BigInt(PAID),
    currency: 'NGN',
    reversals: [{ gatewayReference: 'r', reference: made.id, amount: BigInt(AMOUNT) }],
  }));
  await made.payer.call(made.payer.signed(made.payment, 'reversed'));
};
const resolved =
  (outcome: (typeof REFUND_DECISIONS)[number]): Deed =>
  (made) =>
    duka
      .get<RefundReviewService>(RefundReviewService)
      .resolve(keyOf(made), { outcome, person: reviewer('ada'), note: 'x' })
      .catch(() => null);
const decided =
  (decision: 'approved' | 'declined'): Deed =>
  (made) => {
    silent(made);
    return duka
      .get<Approvals>(Approvals)
      .decide(made.payer.keyOf(''), made.transaction, { decision, decidedBy: reviewer('ada').userId, writes: [] })
      .catch(() => null);
  };
const cancelled: Deed = ({ payer, transaction }) => payer.api.post(`/v4/transactions/${transaction}/cancel`);

const INPUTS: Record<string, Deed> = {
  ...Object.fromEntries(Object.keys(ANSWERS).map((answer) => [`found ${answer}`, found(answer)])),
  'told with its payment': told,
  ...Object.fromEntries(REFUND_DECISIONS.map((outcome) => [`resolved ${outcome}`, resolved(outcome)])),
  approved: decided('approved'),
  declined: decided('declined'),
  cancelled,
  'two days': async (made) => {
    silent(made);
    await made.payer.advance(2 * DAY);
    await duka.get<Requeries>(Requeries).sweep();
  },
};

async function refundedBy(answer: string, rule?: number): Promise<Made> {
  const payer = await Payer.of(duka);
  const { id: payment } = await payer.asked();
  await payer.complete(payment, 'successful');
  await payer.api.credit(payer.wallet, PAID);
  if (rule !== undefined)
    await duka.asOwner(
      `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', $2)`,
      [payer.keyOf('').accountId, rule],
    );
  const gateway = jest.spyOn(payer.bank, 'refund').mockResolvedValue(ANSWERS[answer] as never);
  const { body } = await payer.api.post(`/api/v1/payments/${payment}/refunds`, { amount: AMOUNT });
  gateway.mockRestore();
  return { payer, payment, id: body.id, transaction: body.transaction_id };
}
const waiting = () => refundedBy('unknown', AMOUNT - 1);
const running = () => refundedBy('unknown');
const unanswered: Deed = async (made) => {
  await duka.get<DataSource>(DataSource).query('UPDATE refunds SET checks = 20 WHERE id = $1', [keyOf(made).id]);
  await found('unknown')(made);
};

const after = (make: () => Promise<Made>, deed: Deed) => async (): Promise<Made> => {
  const made = await make();
  await deed(made);
  return made;
};
const STATES = {
  pending: waiting,
  processing: running,
  'processing+ unanswered': after(running, unanswered),
  'processing+ contradicted': after(running, found('refunded too little')),
  successful: () => refundedBy('refunded'),
  failed: () => refundedBy('not_refunded'),
  cancelled: after(waiting, decided('declined')),
};

const SETTLED = {
  'found refunded': 'successful',
  'found refunded too little': 'processing+',
  'found not_refunded': 'failed',
  'told with its payment': 'successful',
};
const FOLLOWS: Record<keyof typeof STATES, Record<string, string>> = {
  pending: { approved: 'processing', declined: 'cancelled', cancelled: 'cancelled', 'two days': 'cancelled' },
  processing: SETTLED,
  'processing+ unanswered': { ...SETTLED, 'resolved successful': 'successful', 'resolved failed': 'failed' },
  'processing+ contradicted': { 'resolved successful': 'successful', 'resolved failed': 'failed' },
  successful: {},
  failed: {},
  cancelled: {},
};

const refundOf = async ({ payer, id }: Made) => (await payer.api.get(`/api/v1/refunds/${id}`)).body;
/** All that stands about a refund, but how often it was looked at. */
async function seen(made: Made) {
  const { payer, id, transaction } = made;
  const { version: _, updated_at: _at, ...shown } = await refundOf(made);
  const [{ checks: _checks, not_known: _notKnown, next_check_at: _next, version: _row, updated_at: _was, ...row }] =
    await duka.get<DataSource>(DataSource).query('SELECT * FROM refunds WHERE id = $1', [keyOf(made).id]);
  return {
    shown,
    row,
    transaction: (await payer.api.get(`/v4/transactions/${transaction}`)).body,
    balance: await payer.api.balance(payer.wallet),
    events: [await payer.events(id), await payer.events(transaction)],
  };
}

describeStates('a refund', {
  statuses: REFUND_STATUSES,
  states: STATES,
  inputs: INPUTS,
  follows: FOLLOWS,
  looksOf: refundOf,
  seen,
  // Of one of which nothing went back, as far as we know, it is a reversal of the payment, and takes its money.
  beside: ({ balance, ...before }, state, input) => {
    const isNever = ['pending', 'failed', 'cancelled'].includes(state);
    const taken = input === 'told with its payment' && isNever ? NET : 0;
    return { ...before, balance: { ...balance, available: balance.available - taken, ledger: balance.ledger - taken } };
  },
});

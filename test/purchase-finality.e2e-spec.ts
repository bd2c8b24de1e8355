import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { Approvals } from '../src/modules/transactions/approvals';
import { Requeries } from '../src/providers/requeries';
import type { FindResult } from '../src/modules/purchases/purchases.provider';
import { TRANSITIONS } from '../src/modules/purchases/running';
import { PURCHASE_DECISIONS, ReviewService } from '../src/modules/purchases/review.service';
import { SandboxOperator } from '../src/modules/purchases/sandbox-operator.service';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';
import { reviewer } from './support/reviewers';
import { PRICE, Shopper } from './support/shopper';
import { describeStates } from './support/state-table';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
afterEach(() => jest.restoreAllMocks());

const REFUSED = {
  outcome: 'not_delivered',
  about: 'order',
  code: 'declined',
  message: 'No.',
  recovery: 'none',
  retryElsewhere: false,
} as const;
const ANSWERS: Record<string, FindResult> = {
  delivered: { outcome: 'delivered', providerReference: 'p' },
  'delivered too much': { outcome: 'delivered', providerReference: 'p', deliveredAmount: 20_000n },
  not_delivered: REFUSED,
  'not_delivered, ask elsewhere': { ...REFUSED, retryElsewhere: true },
  accepted: { outcome: 'accepted' },
  unknown: { outcome: 'unknown', code: 'x' },
  not_known: { outcome: 'not_known' },
  reversed: { outcome: 'reversed', code: 'taken_back', message: 'Taken back.' },
};

interface Bought {
  readonly shopper: Shopper;
  readonly id: string;
}
type Deed = (bought: Bought) => Promise<unknown>;
const answering = (answer: string) =>
  jest.spyOn(duka.get<SandboxOperator>(SandboxOperator), 'find').mockResolvedValue(ANSWERS[answer]!);
const keyOf = ({ shopper, id }: Bought) => ({ ...shopper.owner, id: decodeId('txn', id)! });
const found =
  (answer: string): Deed =>
  async (bought) => {
    answering(answer);
    await duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyOf(bought));
  };
const settled =
  (status: string): Deed =>
  ({ shopper, id }) =>
    shopper.account.api.post(`/v4/sandbox/transactions/${id}/settle`, { status });
const cancel: Deed = ({ shopper, id }) => shopper.account.api.post(`/v4/transactions/${id}/cancel`);

const INPUTS: Record<string, Deed> = {
  ...Object.fromEntries(Object.keys(ANSWERS).map((answer) => [`found ${answer}`, found(answer)])),
  ...Object.fromEntries(['successful', 'failed', 'reversed'].map((status) => [`settled ${status}`, settled(status)])),
  ...Object.fromEntries(
    PURCHASE_DECISIONS.map((outcome): [string, Deed] => [
      `resolved ${outcome}`,
      (bought) =>
        duka
          .get<ReviewService>(ReviewService)
          .resolve(keyOf(bought), { outcome, person: reviewer('ada'), note: 'x' })
          .catch(() => null),
    ]),
  ),
  cancel,
  'asked by its caller': ({ shopper, id }) => {
    answering('unknown');
    return shopper.account.api.post(`/v4/transactions/${id}/requery`);
  },
  deliver_by: async ({ shopper }) => {
    answering('unknown');
    await shopper.pass(2 * 3_600_000);
    await duka.get<Requeries>(Requeries).sweep();
  },
};

const deliverBy = () => ({ deliver_by: new Date(Date.now() + 3_600_000).toISOString() });
const steered = (scenario: string) => (shopper: Shopper) => shopper.steer(scenario, deliverBy());
const queued = (shopper: Shopper) => shopper.buy({ ...deliverBy(), amount: 200_000, on_insufficient_funds: 'queue' });
const running = steered('outcome=timeout; then=never');
const delivered = steered('outcome=delivered');
const failed = steered('outcome=failed');
const unclear: Deed = async (bought) => {
  await duka.get<DataSource>(DataSource).query('UPDATE purchases SET checks = 20 WHERE id = $1', [keyOf(bought).id]);
  await found('unknown')(bought);
};

const after =
  (order: (shopper: Shopper) => Promise<Answer>, ...deeds: Deed[]) =>
  async (): Promise<Bought> => {
    const shopper = await Shopper.in(duka);
    const bought = { shopper, id: (await order(shopper)).body.id as string };
    for (const deed of deeds) await deed(bought);
    return bought;
  };
const STATES = {
  pending: after(queued),
  processing: after(running),
  'processing+ unanswered': after(running, unclear),
  successful: after(delivered),
  failed: after(failed),
  cancelled: after(queued, cancel),
  reversed: after(delivered, settled('reversed')),
  'processing+ contradicted': after(running, found('delivered too much')),
  'successful+': after(delivered, found('not_delivered')),
  'failed+': after(failed, found('delivered')),
  'reversed+': after(delivered, settled('reversed'), found('delivered')),
};

const SETTLED = {
  'found delivered': 'successful',
  'found not_delivered': 'failed',
  'found not_delivered, ask elsewhere': 'processing',
  'found reversed': 'failed',
  'settled successful': 'successful',
  'settled failed': 'failed',
  'resolved delivered': 'successful',
  'resolved not_delivered': 'failed',
};
const FOLLOWS: Record<keyof typeof STATES, Record<string, string>> = {
  pending: { cancel: 'cancelled', deliver_by: 'cancelled' },
  processing: { ...SETTLED, 'found delivered too much': 'processing+' },
  'processing+ unanswered': {
    ...SETTLED,
    // It waits for an answer of somebody else; whoever was called stays called.
    'found not_delivered, ask elsewhere': 'processing+',
    'found delivered too much': 'processing+',
  },
  successful: {
    'found delivered too much': 'successful+',
    'found not_delivered': 'successful+',
    'found not_delivered, ask elsewhere': 'successful+',
    'found reversed': 'reversed',
    'settled reversed': 'reversed',
    'resolved reversed': 'reversed',
  },
  failed: { 'found delivered': 'failed+', 'found delivered too much': 'failed+' },
  cancelled: {},
  reversed: { 'found delivered': 'reversed+', 'found delivered too much': 'reversed+' },
  // It has delivered something: that it knows of nothing later gives no money back, and sells nothing elsewhere.
  'processing+ contradicted': {
    'found delivered': 'successful',
    'found reversed': 'failed',
    'settled successful': 'successful',
    'resolved delivered': 'successful',
    'resolved not_delivered': 'failed',
  },
  'successful+': {
    'found reversed': 'reversed',
    'settled reversed': 'reversed',
    'resolved reversed': 'reversed',
    'resolved unchanged': 'successful',
  },
  'failed+': { 'resolved unchanged': 'failed' },
  'reversed+': { 'resolved unchanged': 'reversed' },
};

/** All that stands about a purchase, but when it is looked at next; one under way was looked at. */
async function seen({ shopper, id }: Bought): Promise<object> {
  const { version: _, next_check_at: _next, updated_at: updatedAt, ...shown } = await shopper.get(id);
  const isFinal = shown.status !== 'pending' && shown.status !== 'processing';
  const [{ checks: _checks, not_known: _notKnown, next_check_at: _at, ...row }] = await duka
    .get<DataSource>(DataSource)
    .query('SELECT * FROM purchases WHERE id = $1', [decodeId('txn', id)]);
  const transactions = (await shopper.account.api.get('/v4/transactions')).body.data.map((one: any) => [
    one.id,
    one.status,
  ]);
  return {
    shown,
    updatedAt: isFinal && updatedAt,
    row,
    transactions,
    balance: await shopper.balance(),
    events: await shopper.eventsOf(id),
  };
}

const COMMON = { statuses: Object.keys(TRANSITIONS), looksOf: ({ shopper, id }: Bought) => shopper.get(id), seen };

describeStates('a purchase', { ...COMMON, states: STATES, inputs: INPUTS, follows: FOLLOWS });

// What is a purchase of any kind is above; a payout may wait for a second person, too.
const paid =
  (scenario: string, more: object = {}) =>
  ({ account, wallet }: Shopper) =>
    account.api.post(
      '/v4/payouts',
      {
        wallet_id: wallet,
        amount: PRICE,
        bank: { code: '058', account_number: '0123456789' },
        ...deliverBy(),
        ...more,
      },
      { headers: { 'x-sandbox-scenario': scenario } },
    );
const paying = paid('outcome=timeout; then=never');
const unapproved = async (shopper: Shopper): Promise<Answer> => {
  await duka.asOwner(
    `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', $2)`,
    [shopper.owner.accountId, PRICE - 1],
  );
  return paying(shopper);
};
const decided =
  (decision: 'approved' | 'declined'): Deed =>
  ({ shopper, id }) =>
    duka
      .get<Approvals>(Approvals)
      .decide(shopper.owner, id, { decision, decidedBy: reviewer('ada').userId, writes: [] })
      .catch(() => null);
const WAITING = { cancel: 'cancelled', deliver_by: 'cancelled' };

describeStates('a payout', {
  ...COMMON,
  states: {
    pending: after(paid('outcome=delivered', { amount: 200_000, on_insufficient_funds: 'queue' })),
    'pending, for a second person': after(unapproved),
    processing: after(paying),
    'processing+ unanswered': after(paying, unclear),
    successful: after(paid('outcome=delivered')),
    failed: after(paid('outcome=failed')),
    cancelled: after(unapproved, cancel),
    'cancelled, declined': after(unapproved, decided('declined')),
    reversed: after(paid('outcome=delivered'), settled('reversed')),
  },
  inputs: { ...INPUTS, approved: decided('approved'), declined: decided('declined') },
  follows: {
    pending: WAITING,
    'pending, for a second person': { ...WAITING, approved: 'processing', declined: 'cancelled' },
    processing: FOLLOWS.processing,
    'processing+ unanswered': FOLLOWS['processing+ unanswered'],
    successful: FOLLOWS.successful,
    failed: FOLLOWS.failed,
    cancelled: {},
    'cancelled, declined': {},
    reversed: FOLLOWS.reversed,
  },
});

import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { Requeries } from '../src/providers/requeries';
import type { FindResult } from '../src/modules/purchases/purchases.provider';
import { TRANSITIONS } from '../src/modules/purchases/running';
import { PURCHASE_DECISIONS, ReviewService } from '../src/modules/purchases/review.service';
import { SandboxOperator } from '../src/modules/purchases/sandbox-operator.service';
import { Duka } from './support/duka';
import { reviewer } from './support/reviewers';
import { Shopper } from './support/shopper';

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

type Deed = (shopper: Shopper, id: string) => Promise<unknown>;
const answering = (answer: string) =>
  jest.spyOn(duka.get<SandboxOperator>(SandboxOperator), 'find').mockResolvedValue(ANSWERS[answer]!);
const keyOf = (shopper: Shopper, id: string) => ({ ...shopper.owner, id: decodeId('txn', id)! });
const found =
  (answer: string): Deed =>
  async (shopper, id) => {
    answering(answer);
    await duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyOf(shopper, id));
  };
const settled =
  (status: string): Deed =>
  (shopper, id) =>
    shopper.account.api.post(`/v4/sandbox/transactions/${id}/settle`, { status });
const cancel: Deed = (shopper, id) => shopper.account.api.post(`/v4/transactions/${id}/cancel`);

const INPUTS: Record<string, Deed> = {
  ...Object.fromEntries(Object.keys(ANSWERS).map((answer) => [`found ${answer}`, found(answer)])),
  ...Object.fromEntries(['successful', 'failed', 'reversed'].map((status) => [`settled ${status}`, settled(status)])),
  ...Object.fromEntries(
    PURCHASE_DECISIONS.map((outcome): [string, Deed] => [
      `resolved ${outcome}`,
      (shopper, id) =>
        duka
          .get<ReviewService>(ReviewService)
          .resolve(keyOf(shopper, id), { outcome, person: reviewer('ada'), note: 'x' })
          .catch(() => null),
    ]),
  ),
  cancel,
  'asked by its caller': (shopper, id) => {
    answering('unknown');
    return shopper.account.api.post(`/v4/transactions/${id}/requery`);
  },
  deliver_by: async (shopper) => {
    answering('unknown');
    await shopper.pass(2 * 3_600_000);
    await duka.get<Requeries>(Requeries).sweep();
  },
};

const inTurn =
  (...deeds: Deed[]): Deed =>
  async (shopper, id) => {
    for (const deed of deeds) await deed(shopper, id);
  };

const deliverBy = () => ({ deliver_by: new Date(Date.now() + 3_600_000).toISOString() });
const steered = (scenario: string) => (shopper: Shopper) => shopper.steer(scenario, deliverBy());
const queued = (shopper: Shopper) => shopper.buy({ ...deliverBy(), amount: 200_000, on_insufficient_funds: 'queue' });
const running = steered('outcome=timeout; then=never');
const unclear: Deed = async (shopper, id) => {
  await duka.get<DataSource>(DataSource).query('UPDATE purchases SET checks = 20 WHERE id = $1', [decodeId('txn', id)]);
  await found('unknown')(shopper, id);
};

/** How a purchase comes to each state. `+`: it is final, and what contradicts it is for a person. */
const STATES: Record<string, { make: (shopper: Shopper) => Promise<any>; deed?: Deed }> = {
  pending: { make: queued },
  processing: { make: running },
  needs_review: { make: running, deed: unclear },
  successful: { make: steered('outcome=delivered') },
  failed: { make: steered('outcome=failed') },
  cancelled: { make: queued, deed: cancel },
  reversed: { make: steered('outcome=delivered'), deed: settled('reversed') },
  'processing+': { make: running, deed: found('delivered too much') },
  'successful+': { make: steered('outcome=delivered'), deed: found('not_delivered') },
  'failed+': { make: steered('outcome=failed'), deed: found('delivered') },
  'reversed+': { make: steered('outcome=delivered'), deed: inTurn(settled('reversed'), found('delivered')) },
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
/** The only cells in which something follows, and what. `+`: what contradicts is for a person. */
const FOLLOWS: Record<string, Record<string, string>> = {
  pending: { cancel: 'cancelled', deliver_by: 'cancelled' },
  processing: { ...SETTLED, 'found delivered too much': 'processing+' },
  needs_review: { ...SETTLED, 'found delivered too much': 'processing+' },
  // It has delivered something: that it knows of nothing later gives no money back, and sells nothing elsewhere.
  'processing+': {
    'found delivered': 'successful',
    'found reversed': 'failed',
    'settled successful': 'successful',
    'resolved delivered': 'successful',
    'resolved not_delivered': 'failed',
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
  'successful+': {
    'found reversed': 'reversed',
    'settled reversed': 'reversed',
    'resolved reversed': 'reversed',
    'resolved unchanged': 'successful',
  },
  'failed+': { 'resolved unchanged': 'failed' },
  'reversed+': { 'resolved unchanged': 'reversed' },
};

async function purchaseIn(state: string): Promise<{ shopper: Shopper; id: string }> {
  const shopper = await Shopper.in(duka);
  const {
    body: { id },
  } = await STATES[state]!.make(shopper);
  await STATES[state]!.deed?.(shopper, id);
  jest.restoreAllMocks();
  const { status, needs_review: needsReview } = await shopper.get(id);
  expect([status, needsReview]).toEqual(
    state === 'needs_review' ? ['processing', true] : [state.replace('+', ''), state.endsWith('+')],
  );
  return { shopper, id };
}

/** All that stands about a purchase, but when it is looked at next; one under way was looked at. */
async function seen(shopper: Shopper, id: string): Promise<object> {
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

it('covers every state', () => {
  expect(
    Object.keys(STATES)
      .filter((state) => !state.endsWith('+'))
      .sort(),
  ).toEqual([...Object.keys(TRANSITIONS), 'needs_review'].sort());
});

describe.each(Object.keys(STATES))('a purchase that is %s', (state) => {
  const outside = Object.keys(INPUTS).filter((input) => !(input in FOLLOWS[state]!));

  it.each(outside)('stays as it is: %s', async (input) => {
    const { shopper, id } = await purchaseIn(state);
    const before = await seen(shopper, id);
    await INPUTS[input]!(shopper, id);
    expect(await seen(shopper, id)).toEqual(before);
  });

  const inside = Object.entries(FOLLOWS[state]!);
  if (inside.length > 0)
    it.each(inside)('goes on as the table says: %s, then %s', async (input, then) => {
      const { shopper, id } = await purchaseIn(state);
      await INPUTS[input]!(shopper, id);
      const { status, needs_review: needsReview } = await shopper.get(id);
      const isContradicted = then.endsWith('+');
      // Asked elsewhere, it waits for an answer of somebody else; whoever was called stays called.
      expect([status, needsReview]).toEqual([
        then.replace('+', ''),
        isContradicted || (state === 'needs_review' && then === 'processing'),
      ]);
    });
});

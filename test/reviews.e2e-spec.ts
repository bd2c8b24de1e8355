import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { ReviewService } from '../src/modules/purchases/review.service';
import { SandboxOperator } from '../src/modules/purchases/sandbox-operator.service';
import { expectBooksToBalance } from './support/books';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { Funder } from './support/funder';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';
import { Shopper } from './support/shopper';

const ABOVE = 200_000;

let duka: Duka;
let payer: Payer;
beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: `NGN:${ABOVE}` });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const payments = () => duka.get<PaymentReviewService>(PaymentReviewService);
const decide = (id: string, outcome: any, person = 'ada') =>
  payments().resolve(payer.keyOf(id), { outcome, person: reviewer(person), note: 'statement' });
const verdictsOn = async (id: string): Promise<object[]> =>
  duka
    .get<DataSource>(DataSource)
    .query('SELECT person, outcome FROM review_verdicts WHERE resource_id = $1 ORDER BY id', [id]);

async function large(): Promise<string> {
  const { id } = await payer.asked({ amount: ABOVE + 2 });
  await payer.complete(id, 'underpaid');
  return id;
}

describe('a decision whose settlement fails', () => {
  it('about a payment is not kept: the same person decides again', async () => {
    const { id } = await payer.asked();
    await payer.complete(id, 'successful');
    await payer.api.transfer(payer.wallet, await payer.api.wallet(), 98_500);
    await payer.complete(id, 'reversed');
    await expect(decide(id, 'reversed')).rejects.toMatchObject({ details: { code: 'insufficient_funds' } });
    expect(await verdictsOn(payer.keyOf(id).id)).toEqual([]);
    await payer.api.credit(payer.wallet, 98_500);
    expect(await decide(id, 'reversed')).toMatchObject({ isSettled: true, payment: { status: 'reversed' } });
    expect(await verdictsOn(payer.keyOf(id).id)).toEqual([{ person: 'ada@example.com', outcome: 'reversed' }]);
  });

  it('about a purchase is not kept: the hold goes when the same person decides again', async () => {
    const shopper = await Shopper.in(duka);
    const { body } = await shopper.steer('outcome=timeout; then=never');
    const key = { ...shopper.owner, id: decodeId('txn', body.id)! };
    const resolve = () =>
      duka
        .get<ReviewService>(ReviewService)
        .resolve(key, { outcome: 'not_delivered', person: reviewer('ada'), note: 'ticket 7' });
    jest.spyOn(duka.get<LedgerService>(LedgerService), 'post').mockRejectedValueOnce(new Error('the database is away'));
    await expect(resolve()).rejects.toThrow('away');
    expect([(await shopper.balance()).held > 0, await verdictsOn(key.id)]).toEqual([true, []]);
    expect(await resolve()).toMatchObject({ isSettled: true });
    expect([(await shopper.balance()).held, await verdictsOn(key.id)]).toEqual([
      0,
      [{ person: 'ada@example.com', outcome: 'not_delivered' }],
    ]);
  });

  it('of the second person leaves what the first one decided', async () => {
    const id = await large();
    await decide(id, 'accept_received', 'ada');
    jest.spyOn(duka.get<LedgerService>(LedgerService), 'post').mockRejectedValueOnce(new Error('the database is away'));
    await expect(decide(id, 'accept_received', 'bola')).rejects.toThrow('away');
    expect(await decide(id, 'accept_received', 'bola')).toMatchObject({ isSettled: true });
  });
});

describe('two people', () => {
  it('who decide at the same moment do not lock each other out', async () => {
    const id = await large();
    const both = await Promise.all([
      decide(id, 'accept_received', 'ada'),
      decide(id, 'accept_received', 'bola').catch(() => null),
    ]);
    if (!both.some((one) => one?.isSettled))
      expect(await decide(id, 'accept_received', 'ada')).toMatchObject({ isSettled: true });
    expect((await payer.get(id)).status).toBe('successful');
  });

  it('agree on the outcome: who changed their mind counts once, with the last word', async () => {
    const id = await large();
    await decide(id, 'refund_payer', 'ada');
    expect(await decide(id, 'accept_received', 'ada')).toMatchObject({ isSettled: false });
    expect(await decide(id, 'refund_payer', 'bola')).toMatchObject({ isSettled: false });
    expect(await decide(id, 'accept_received', 'chidi')).toMatchObject({
      isSettled: true,
      payment: { resolution: 'accept_received' },
    });
  });

  it('agree on the wallet too', async () => {
    const id = await large();
    const { body: wallet } = await payer.api.post('/v4/wallets', { currency: 'NGN' });
    const into = (person: string, walletId?: string) =>
      payments().resolve(payer.keyOf(id), {
        outcome: 'accept_received',
        person: reviewer(person),
        note: 'x',
        walletId,
      });
    await into('ada');
    expect(await into('bola', wallet.id)).toMatchObject({ isSettled: false });
    expect(await into('chidi', wallet.id)).toMatchObject({
      isSettled: true,
      payment: { creditWalletId: decodeId('wal', wallet.id) },
    });
  });

  it('are not kept apart by callbacks that the gateway repeats', async () => {
    const id = await large();
    await decide(id, 'accept_received', 'ada');
    await payer.call(payer.signed(id));
    expect(await decide(id, 'accept_received', 'bola')).toMatchObject({ isSettled: true });
  });

  it('are needed by the threshold of the currency that came; a currency without one needs them always', async () => {
    const { body: wallet } = await payer.api.post('/v4/wallets', { currency: 'USD' });
    const { id } = await payer.asked();
    await payer.complete(id, 'wrong_currency');
    const into = (person: string) =>
      payments().resolve(payer.keyOf(id), {
        outcome: 'accept_received',
        person: reviewer(person),
        note: 'x',
        walletId: wallet.id,
      });
    expect(await into('ada')).toMatchObject({ isSettled: false });
    expect(await into('bola')).toMatchObject({ isSettled: true });
  });
});

describe('a purchase that is looked at and stays as it is', () => {
  const purchases = () => duka.get<ReviewService>(ReviewService);
  const goodsFor = (shopper: Shopper, amount: number) => shopper.steer('outcome=delivered', { amount });
  const keyFor = (shopper: Shopper, id: string) => ({ ...shopper.owner, id: decodeId('txn', id)! });
  const clear = (shopper: Shopper, id: string, person = 'ada') =>
    purchases().resolve(keyFor(shopper, id), { outcome: 'unchanged', person: reviewer(person), note: 'ticket 7' });

  async function contradict(shopper: Shopper, id: string): Promise<void> {
    const find = jest.spyOn(duka.get<SandboxOperator>(SandboxOperator), 'find');
    find.mockResolvedValue({
      outcome: 'not_delivered',
      about: 'order',
      code: 'declined',
      message: 'No.',
      recovery: 'none',
      retryElsewhere: false,
    });
    await duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyFor(shopper, id));
    find.mockRestore();
    expect(await shopper.get(id)).toMatchObject({ status: 'successful', needs_review: true });
  }

  it('is marked no longer: its version grows, the verdict stands, its money and its events stay', async () => {
    const shopper = await Shopper.in(duka);
    const {
      body: { id },
    } = await goodsFor(shopper, 10_000);
    await expect(clear(shopper, id)).rejects.toMatchObject({
      details: {
        code: 'invalid_state_transition',
        detail: `${id} is successful, not in review, and cannot be unchanged.`,
      },
    });
    await contradict(shopper, id);
    const [before, events, balance] = [await shopper.get(id), await shopper.eventsOf(id), await shopper.balance()];
    expect(await clear(shopper, id)).toMatchObject({
      isSettled: true,
      running: { transaction: { status: 'successful', needsReview: false } },
    });
    const { version, needs_review: needsReview, ...same } = await shopper.get(id);
    expect([version, needsReview]).toEqual([before.version + 1, false]);
    expect(same).toEqual({ ...before, version: undefined, needs_review: undefined, updated_at: same.updated_at });
    expect([await shopper.eventsOf(id), await shopper.balance()]).toEqual([events, balance]);
    expect(await verdictsOn(keyFor(shopper, id).id)).toEqual([{ person: 'ada@example.com', outcome: 'unchanged' }]);
    expect((await purchases().list(1_000)).map((one) => one.id)).not.toContain(keyFor(shopper, id).id);
    await expectBooksToBalance(duka.env.DATABASE_URL!);
  });

  it('takes two people above the threshold, and two again when it is called for again', async () => {
    const shopper = await Shopper.in(duka);
    await shopper.fund(2 * ABOVE);
    const {
      body: { id },
    } = await goodsFor(shopper, ABOVE + 2);
    for (const round of [1, 2]) {
      await contradict(shopper, id);
      expect((await purchases().list(1_000)).find((one) => one.id === keyFor(shopper, id).id)).toMatchObject({
        decisions: [],
      });
      expect([round, await clear(shopper, id)]).toMatchObject([
        round,
        { isSettled: false, running: { transaction: { needsReview: true } } },
      ]);
      await expect(clear(shopper, id)).rejects.toThrow('somebody else must confirm it');
      expect(await clear(shopper, id, 'bola')).toMatchObject({ isSettled: true });
      expect((await shopper.get(id)).needs_review).toBe(false);
    }
  });
});

describe('at the dashboard', () => {
  let ada: Browser;
  let bola: Browser;
  beforeAll(async () => {
    [ada, bola] = [await newOwner(duka), await newOwner(duka)];
    for (const { email } of [ada, bola]) await duka.setOperator(email, true);
    for (const one of [ada, bola]) await one.stepUp();
  });

  const body = () => ({
    account_id: payer.account.id,
    livemode: false,
    outcome: 'accept_requested',
    note: 'statement of 4 May',
  });

  const listed = async (id: string) =>
    (await ada.get('/operators/open-reviews')).body.data.find((one: any) => one.id === id);

  it('operators see deposits that are held, and decide by who they are, two log-ins above the threshold', async () => {
    const funder = await Funder.of(duka);
    const { id: number } = await funder.opened();
    await funder.api.post(`/v4/virtual-accounts/${number}/close`);
    const { id } = await funder.pay(number, ABOVE + 1);
    const waiting = await listed(id);
    expect(waiting).toMatchObject({
      account_id: funder.account.id,
      amount: ABOVE + 1,
      status: 'received',
      decisions: [],
    });
    const decision = { account_id: funder.account.id, livemode: false, outcome: 'accept_received', note: 'statement' };
    const decide = (one: Browser) => one.post(`/operators/reviews/deposits/${id}`, decision);
    expect((await decide(ada)).body).toEqual({ deposit_id: id, settled: false, status: 'received' });
    expect((await decide(ada)).status).toBe(409);
    expect((await decide(bola)).body).toEqual({ deposit_id: id, settled: true, status: 'credited' });
    expect(await funder.balance()).toBe(ABOVE + 1);
    expect((await bola.get('/audit-log')).body.data[0]).toMatchObject({ action: 'deposit.reviewed', target: id });
  });

  it('operators see what waits and decide by who they are, two log-ins above the threshold', async () => {
    const id = await large();
    const waiting = await listed(id);
    expect(waiting).toMatchObject({
      account_id: payer.account.id,
      amount: ABOVE + 2,
      amount_received: ABOVE + 1,
      currency_received: 'NGN',
      decisions: [],
    });
    expect((await ada.post(`/operators/reviews/payments/${id}`, body())).body).toEqual({
      payment_id: id,
      settled: false,
      status: 'processing',
    });
    const again = ada.another();
    await again.logIn();
    await again.stepUp();
    expect((await again.post(`/operators/reviews/payments/${id}`, body())).status).toBe(409);
    expect((await bola.post(`/operators/reviews/payments/${id}`, body())).body).toEqual({
      payment_id: id,
      settled: true,
      status: 'successful',
    });
    expect((await bola.get('/audit-log')).body.data[0]).toMatchObject({
      action: 'payment.reviewed',
      target: id,
      detail: { outcome: 'accept_requested', settled: true },
    });
  });

  it('a purchase is settled there too', async () => {
    const shopper = await Shopper.in(duka);
    const {
      body: { id },
    } = await shopper.steer('outcome=timeout; then=never');
    const answer = await ada.post(`/operators/reviews/purchases/${id}`, {
      account_id: shopper.account.id,
      livemode: false,
      outcome: 'not_delivered',
      note: 'ticket 7',
    });
    expect([answer.status, answer.body.status]).toEqual([200, 'failed']);
  });

  it('a delivered purchase that is contradicted is left as it is there, too', async () => {
    const shopper = await Shopper.in(duka);
    const {
      body: { id },
    } = await shopper.steer('outcome=delivered');
    const decided = () =>
      ada.post(`/operators/reviews/purchases/${id}`, {
        account_id: shopper.account.id,
        livemode: false,
        outcome: 'unchanged',
        note: 'ticket 7',
      });
    expect((await decided()).status).toBe(409);
    await duka
      .get<DataSource>(DataSource)
      .query(`UPDATE purchases SET review = 'x' WHERE id = $1`, [decodeId('txn', id)]);
    await duka
      .get<DataSource>(DataSource)
      .query(`UPDATE transactions SET needs_review = true WHERE id = $1`, [decodeId('txn', id)]);
    expect((await decided()).body).toEqual({ transaction_id: id, settled: true, status: 'successful' });
    expect((await ada.get('/audit-log')).body.data[0]).toMatchObject({
      action: 'purchase.reviewed',
      target: id,
      detail: { outcome: 'unchanged', note: 'ticket 7', settled: true },
    });
  });

  it('a refund is settled there too', async () => {
    const id = await payer.contradicted();
    const waiting = await listed(id);
    expect(waiting).toMatchObject({ account_id: payer.account.id, amount: 40_000, decisions: [] });
    expect(await verdictsOn(decodeId('rfd', id)!)).toEqual([]);
    const decided = await ada.post(`/operators/reviews/refunds/${id}`, { ...body(), outcome: 'successful' });
    expect(decided.body).toEqual({ refund_id: id, settled: true, status: 'successful' });
    expect((await ada.get('/audit-log')).body.data[0]).toMatchObject({ action: 'refund.reviewed', target: id });
    expect(await verdictsOn(decodeId('rfd', id)!)).toHaveLength(1);
  });

  it('owners of accounts see and decide nothing', async () => {
    const id = await large();
    const owner = await newOwner(duka);
    await owner.stepUp();
    for (const path of ['open-reviews', 'reviews/due'])
      expect((await owner.get(`/operators/${path}`)).status).toBe(403);
    expect((await owner.post(`/operators/reviews/payments/${id}`, body())).status).toBe(403);
  });
});

import { DataSource } from 'typeorm';
import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { expectBooksToBalance, IN_PIECES } from './support/books';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { reviewer } from './support/reviewers';

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: '1000000' });
});
afterAll(async () => {
  await expectBooksToBalance(duka.env.DATABASE_URL!, IN_PIECES);
  await duka.stop();
});
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const FEE = 1_500;
const resolve = (id: string, outcome: any, more: object = {}) =>
  duka
    .get<PaymentReviewService>(PaymentReviewService)
    .resolve(payer.keyOf(id), { outcome, person: reviewer('ada'), note: 'statement of today', ...more });

/** Of the books, what a platform account holds of a payment's posting. */
async function movedOn(name: string, id: string): Promise<number[]> {
  const rows: { amount: string }[] = await duka.get<DataSource>(DataSource).query(
    `SELECT e.amount FROM payments p JOIN ledger_entries e ON e.posting_id = p.transaction_id JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
      WHERE p.id = $1 AND a.name = $2`,
    [payer.keyOf(id).id, name],
  );
  return rows.map(({ amount }) => Number(amount));
}

async function wronglyPaid(outcome: string, more: object = {}): Promise<any> {
  const { id } = await payer.asked(more);
  const { body } = await payer.complete(id, outcome);
  expect(body).toMatchObject({ needs_review: true, transaction_id: null });
  return body;
}

describe('too little or too much', () => {
  it.each([
    ['underpaid', 99_999],
    ['overpaid', 100_001],
  ])('%s: what came is credited', async (outcome, received) => {
    const { id } = await wronglyPaid(outcome);
    await resolve(id, 'accept_received');
    expect(await payer.get(id)).toMatchObject({
      status: 'successful',
      needs_review: false,
      amount: 100_000,
      amount_received: received,
      currency_received: 'NGN',
      resolution: 'accept_received',
    });
    expect([
      await payer.balance(),
      await movedOn('gateway:sandbox_card', id),
      await movedOn('payment_differences', id),
    ]).toEqual([received - FEE, [-received], []]);
  });

  it.each([
    ['underpaid', 99_999],
    ['overpaid', 100_001],
  ])(
    '%s: what was asked for is credited, and the platform bears or keeps the difference',
    async (outcome, received) => {
      const { id } = await wronglyPaid(outcome);
      await resolve(id, 'accept_requested');
      expect(await payer.get(id)).toMatchObject({
        status: 'successful',
        amount_received: received,
        currency_received: 'NGN',
        resolution: 'accept_requested',
      });
      expect([
        await payer.balance(),
        await movedOn('gateway:sandbox_card', id),
        await movedOn('payment_differences', id),
      ]).toEqual([100_000 - FEE, [-received], [received - 100_000]]);
      // The gateway repeats what it said: that is no contradiction any more.
      await payer.call(payer.signed(id));
      expect(await payer.get(id)).toMatchObject({ needs_review: false, amount_received: received });
      // All of it goes back, the difference too.
      await payer.complete(id, 'reversed');
      expect(await payer.get(id)).toMatchObject({ status: 'reversed', amount_received: received });
      expect(await payer.balance()).toBe(0);
    },
  );

  it('what is to go back to the payer credits nothing: the gateway is asked to refund it, at once', async () => {
    const { id } = await wronglyPaid('underpaid');
    await resolve(id, 'refund_payer');
    expect(await payer.get(id)).toMatchObject({ status: 'failed', amount_received: 99_999, amount_refunded: 99_999 });
    const { data } = (await payer.api.get(`/api/v1/payments/${id}/refunds`)).body;
    expect(data).toEqual([expect.objectContaining({ status: 'successful', amount: 99_999, wallet_id: null })]);
    expect([await payer.balance(), await movedOn('gateway:sandbox_card', id)]).toEqual([0, []]);
    // It is told as what went back, too: that is the same money.
    await payer.call(payer.signed(id, 'reversed'));
    expect(await payer.get(id)).toMatchObject({ status: 'failed', amount_refunded: 99_999, needs_review: false });
  });

  it('where the gateway refuses, it is listed until it was given back by hand', async () => {
    const { id } = await wronglyPaid('underpaid');
    jest
      .spyOn(payer.bank, 'refund')
      .mockResolvedValue({
        outcome: 'not_refunded',
        about: 'order',
        code: 'refund_refused',
        message: 'No.',
        recovery: 'none',
      });
    await resolve(id, 'refund_payer');
    expect(await payer.get(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'to_be_refunded' },
      amount_received: 99_999,
      resolution: 'refund_payer',
      needs_review: false,
    });
    expect([await payer.balance(), await payer.events(id)]).toEqual([0, ['payment.needs_review', 'payment.failed']]);
    const due = async () =>
      (await duka.get<PaymentReviewService>(PaymentReviewService).listRefundsDue(100)).map((one) => one.id);
    expect(await due()).toContain(payer.keyOf(id).id);
    await payer.call(payer.signed(id));
    expect(await payer.get(id)).toMatchObject({ status: 'failed', needs_review: false });
    await payer.complete(id, 'reversed');
    expect(await payer.get(id)).toMatchObject({ status: 'failed', amount_refunded: 99_999, needs_review: false });
    expect(await due()).not.toContain(payer.keyOf(id).id);
  });

  it('money for a payment that was cancelled can be taken or given back, and stays what it was', async () => {
    const cancelled = await payer.asked();
    await payer.start(cancelled);
    await payer.api.post(`/api/v1/payments/${cancelled.id}/cancel`);
    await payer.complete(cancelled.id, 'overpaid');
    await resolve(cancelled.id, 'refund_payer');
    expect(await payer.get(cancelled.id)).toMatchObject({
      status: 'cancelled',
      amount_received: 100_001,
      resolution: 'refund_payer',
      needs_review: false,
    });
  });
});

describe('another currency', () => {
  it('stays what came, and cannot be taken for what was asked', async () => {
    const { id } = await wronglyPaid('wrong_currency');
    expect(await payer.get(id)).toMatchObject({ currency: 'NGN', amount_received: 100_000, currency_received: 'USD' });
    await expect(resolve(id, 'accept_requested')).rejects.toMatchObject({ details: { code: 'currency_mismatch' } });
    await expect(resolve(id, 'accept_received')).rejects.toMatchObject({ details: { code: 'currency_mismatch' } });
    await expect(resolve(id, 'accept_received', { walletId: payer.wallet })).rejects.toMatchObject({
      details: { code: 'currency_mismatch' },
    });
    expect(await payer.get(id)).toMatchObject({
      needs_review: true,
      amount_received: 100_000,
      currency_received: 'USD',
    });
  });

  it('is accepted into a wallet of that currency, whole', async () => {
    const { id } = await wronglyPaid('wrong_currency');
    const { body: wallet } = await payer.api.post('/v4/wallets', { currency: 'USD' });
    await resolve(id, 'accept_received', { walletId: wallet.id });
    const { transaction_id: credit, ...payment } = await payer.get(id);
    expect(payment).toMatchObject({
      status: 'successful',
      currency: 'NGN',
      amount_received: 100_000,
      currency_received: 'USD',
      resolution: 'accept_received',
      wallet_id: payer.wallet,
    });
    expect((await payer.api.get(`/v4/transactions/${credit}`)).body).toMatchObject({
      wallet_id: wallet.id,
      currency: 'USD',
      total: 100_000,
      fee: 0,
    });
    expect([await payer.balance(), (await payer.api.balance(wallet.id)).available]).toEqual([0, 100_000]);
    await payer.complete(id, 'reversed');
    expect([(await payer.get(id)).status, (await payer.api.balance(wallet.id)).available]).toEqual(['reversed', 0]);
  });

  it('of somebody else is no place for it', async () => {
    const { id } = await wronglyPaid('wrong_currency');
    const other = await Payer.of(duka);
    const { body: wallet } = await other.api.post('/v4/wallets', { currency: 'USD' });
    await expect(resolve(id, 'accept_received', { walletId: wallet.id })).rejects.toMatchObject({
      details: { code: 'not_found' },
    });
  });

  it('is to go back to the payer', async () => {
    const { id } = await wronglyPaid('wrong_currency');
    await resolve(id, 'refund_payer');
    expect(await payer.get(id)).toMatchObject({
      status: 'failed',
      amount_received: 100_000,
      currency_received: 'USD',
      resolution: 'refund_payer',
    });
  });
});

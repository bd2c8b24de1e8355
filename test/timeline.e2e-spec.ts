import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { ReviewService } from '../src/modules/purchases/review.service';
import { decodeId } from '../src/core/http/ids';
import { Buyer } from './support/buyer';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { Receiver } from './support/receiver';
import { reviewer } from './support/reviewers';

let duka: Duka;
let buyer: Buyer;
let numbers = 0;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  buyer = await Buyer.of(duka);
});

/** A number of the sandbox: its delay, and its outcome. */
const numberOf = (outcome: string): string => `+234800${String(++numbers).padStart(4, '0')}${outcome}`;
const storyOf = async (id: string): Promise<{ at: string; kind: string; data: any }[]> =>
  (await buyer.api.get(`/v4/transactions/${id}/timeline`)).body.data;
const said = (story: { kind: string; data: any }[], kind: string) =>
  story.filter((item) => item.kind === kind).map(({ data }) => data);
const ids = async (query: string, list = '/v4/transactions') =>
  (await buyer.api.get(`${list}?${query}`)).body.data.map(({ id }: { id: string }) => id);

describe('the timeline of a purchase', () => {
  it('keeps an answer that said nothing, when a requery has said more', async () => {
    const { body } = await buyer.airtime(numberOf('108'));
    await buyer.advance(6);
    const story = await storyOf(body.id);
    expect(said(story, 'provider.answer')).toEqual([
      expect.objectContaining({ number: 1, outcome: 'unknown', code: 'timeout' }),
    ]);
    expect(said(story, 'provider.requery')).toEqual([expect.objectContaining({ outcome: 'delivered' })]);
    expect(said(story, 'transaction.completed')).toEqual([{ status: 'successful' }]);
    const kinds = story.map(({ kind }) => kind);
    expect(kinds.indexOf('provider.answer')).toBeLessThan(kinds.indexOf('provider.requery'));
  });

  it('keeps a delivery that was taken back, and when it was completed', async () => {
    const { body: sold } = await buyer.airtime(numberOf('212'));
    expect([sold.status, typeof sold.completed_at]).toEqual(['successful', 'string']);
    await buyer.advance(30);
    const reversed = await buyer.transaction(sold.id);
    expect(reversed).toMatchObject({ status: 'reversed', completed_at: sold.completed_at, next_check_at: null });
    const story = await storyOf(sold.id);
    expect(said(story, 'provider.answer')).toEqual([expect.objectContaining({ outcome: 'delivered' })]);
    expect(said(story, 'provider.requery')).toEqual([expect.objectContaining({ outcome: 'reversed' })]);
    expect(said(story, 'transaction.completed')).toEqual([{ status: 'successful' }]);
    expect(said(story, 'event').map(({ type }) => type)).toEqual([
      'transaction.processing',
      'transaction.successful',
      'transaction.reversed',
    ]);
  });

  it('names the currency with each amount', async () => {
    const { body } = await buyer.airtime(numberOf('100'));
    const story = await storyOf(body.id);
    expect(story[0]).toMatchObject({ kind: 'transaction.created', data: { amount: 10_000, currency: 'NGN' } });
    for (const data of said(story, 'ledger.entry'))
      expect(data).toMatchObject({ amount: expect.any(Number), currency: 'NGN' });
  });

  it('tells to whom its events were sent', async () => {
    const account = await duka.account();
    await account.api.credit((await account.api.get('/v4/wallets')).body.data[0].id, 100_000);
    const receiver = await Receiver.of(duka, account, { events: ['transaction.successful'] });
    try {
      const { body } = await account.api.post('/v4/airtime/purchase', { phone: numberOf('100'), amount: 10_000 });
      let sent: any[] = [];
      while (sent[0]?.status !== 'delivered')
        sent = said((await account.api.get(`/v4/transactions/${body.id}/timeline`)).body.data, 'webhook.delivery');
      expect(sent).toEqual([expect.objectContaining({ event_type: 'transaction.successful', attempts: 1 })]);
    } finally {
      await receiver.close();
    }
  });
});

describe('what needs a person', () => {
  it('says so, is found by it, and no longer when it is decided', async () => {
    const { body: fine } = await buyer.airtime(numberOf('100'));
    const { body } = await buyer.airtime(numberOf('109'));
    expect([fine.needs_review, body.needs_review]).toEqual([false, false]);
    await buyer.reach(body.id, {
      status: 'processing',
      failure_code: null,
      error_code: null,
      attempts: 1,
      needs_review: true,
    });
    expect((await buyer.transaction(body.id)).needs_review).toBe(true);
    expect(await ids('needs_review=true')).toEqual([body.id]);
    expect(await ids('needs_review=false&type=airtime_purchase')).toEqual([fine.id]);
    expect((await buyer.api.get('/v4/transactions?needs_review=perhaps')).body).toMatchObject({
      code: 'validation_failed',
      param: '/needs_review',
    });
    const inReview = (await duka.get<ReviewService>(ReviewService).list(500)).find(
      ({ id }) => id === decodeId('txn', body.id),
    )!;
    await duka
      .get<ReviewService>(ReviewService)
      .resolve(inReview, { outcome: 'delivered', person: reviewer('ada'), note: 'ticket 7' });
    expect(await buyer.transaction(body.id)).toMatchObject({ status: 'successful', needs_review: false });
    expect(await ids('needs_review=true')).toEqual([]);
    const story = await storyOf(body.id);
    expect(said(story, 'review.decision')).toEqual([{ outcome: 'delivered' }]);
    expect(said(story, 'event').map(({ type }) => type)).toContain('transaction.needs_review');
  });

  it('is told of the credit of a payment, too', async () => {
    const payer = await Payer.of(duka);
    const { id } = await payer.asked();
    await payer.complete(id, 'underpaid');
    await duka
      .get<PaymentReviewService>(PaymentReviewService)
      .resolve(payer.keyOf(id), { outcome: 'accept_received', person: reviewer('ada'), note: 'statement' });
    const { transaction_id: credit } = await payer.get(id);
    const { data: story } = (await payer.api.get(`/v4/transactions/${credit}/timeline`)).body;
    expect(said(story, 'review.decision')).toEqual([{ outcome: 'accept_received' }]);
    expect(said(story, 'provider.requery')).toEqual([expect.objectContaining({ outcome: 'successful' })]);
  });

  it('is found among payments, too', async () => {
    const payer = await Payer.of(duka);
    const [plain, wrong] = [await payer.asked(), await payer.asked()];
    await payer.complete(wrong.id, 'underpaid');
    const found = async (flag: boolean) =>
      (await payer.api.get(`/api/v1/payments?needs_review=${flag}`)).body.data.map(({ id }: { id: string }) => id);
    expect([await found(true), await found(false)]).toEqual([[wrong.id], [plain.id]]);
  });
});

import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { Funder } from './support/funder';
import { Payer } from './support/payer';
import { Shopper } from './support/shopper';

const ABOVE = 200_000;

let duka: Duka;
let ada: Browser;
let bola: Browser;
let payer: Payer;
let funder: Funder;
let shopper: Shopper;
let payment: string;
let purchase: string;
let deposit: string;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: `NGN:${ABOVE}` });
  [ada, bola] = [await newOwner(duka), await newOwner(duka)];
  for (const operator of [ada, bola]) {
    await duka.setOperator(operator.email, true);
    await operator.stepUp();
  }
  payer = await Payer.of(duka);
  ({ id: payment } = await payer.asked({ amount: ABOVE + 2 }));
  await payer.complete(payment, 'underpaid');
  shopper = await Shopper.in(duka);
  purchase = (await shopper.steer('outcome=timeout; then=never')).body.id;
  await review('purchases', purchase, 'txn');
  funder = await Funder.of(duka);
  const { id: number } = await funder.opened();
  await funder.api.post(`/v4/virtual-accounts/${number}/close`);
  ({ id: deposit } = await funder.pay(number, 5_000));
});
afterAll(() => duka.stop());

/** As hours of questions without an answer would. */
async function review(table: string, id: string, prefix: 'txn'): Promise<void> {
  const source = duka.get<DataSource>(DataSource);
  await source.query(`UPDATE ${table} SET review = 'no answer' WHERE id = $1`, [decodeId(prefix, id)]);
  await source.query('UPDATE transactions SET needs_review = true WHERE id = $1', [decodeId(prefix, id)]);
}

const list = async (query = '') => (await ada.get(`/operators/open-reviews${query}`)).body;
const idsOf = ({ data }: any): string[] => data.map(({ id }: any) => id);
const evidence = (who: Browser, id: string, account: string) =>
  who.get(`/operators/open-reviews/${id}?account_id=${account}&livemode=false`);

it('all kinds of all accounts stand in one list, oldest first, with what may be decided', async () => {
  const all = await list();
  expect(idsOf(all)).toEqual([payment, purchase, deposit]);
  expect(all.total).toBe(3);
  expect(Object.fromEntries(all.counts.map(({ kind, count }: any) => [kind, count]))).toEqual({
    purchase: 1,
    payment: 1,
    refund: 0,
    deposit: 1,
    card: 0,
    dispute: 0,
    customer: 0,
  });
  expect(all.data[0]).toMatchObject({
    kind: 'payment',
    account_id: payer.account.id,
    amount: ABOVE + 2,
    amount_received: ABOVE + 1,
    people_needed: 2,
    outcomes: expect.arrayContaining(['accept_received', 'refund_payer', 'failed']),
    decisions: [],
  });
  expect(all.data[1]).toMatchObject({
    kind: 'purchase',
    reason: 'no answer',
    people_needed: 1,
    outcomes: ['delivered', 'not_delivered'],
  });
  expect(all.data[2]).toMatchObject({
    kind: 'deposit',
    outcomes: ['accept_received', 'refund_payer', 'failed', 'returned'],
  });
});

it('is narrowed by kind, account, mode and age, and read page by page', async () => {
  expect(idsOf(await list('?kind=purchase'))).toEqual([purchase]);
  expect(idsOf(await list(`?account_id=${payer.account.id}`))).toEqual([payment]);
  expect(await list('?livemode=true')).toMatchObject({ data: [], total: 0 });
  expect(await list('?older_than_hours=1')).toMatchObject({ data: [], total: 0 });
  const first = await list('?limit=2');
  expect([idsOf(first), first.total]).toEqual([[payment, purchase], 3]);
  expect(idsOf(await list(`?limit=2&cursor=${first.next_cursor}`))).toEqual([deposit]);
  expect((await ada.get('/operators/open-reviews?kind=gold')).status).toBe(400);
});

it('shows what there is to decide by', async () => {
  const { body } = await evidence(ada, purchase, shopper.account.id);
  expect(body.review).toMatchObject({ id: purchase, reason: 'no answer' });
  const kinds = body.timeline.map(({ kind }: any) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['transaction.created', 'provider.attempt', 'ledger.entry']));
  const paid = (await evidence(ada, payment, payer.account.id)).body;
  expect(paid.timeline.map(({ kind }: any) => kind)).toContain('payment.created');
  expect(paid.timeline.some(({ kind }: any) => kind.startsWith('provider.'))).toBe(true);
});

it('shows the line of a statement that contradicts the books', async () => {
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_differences (id, provider, currency, kind, reference, transaction, ours, theirs)
     VALUES (gen_random_uuid(), 'acme', 'NGN', 'amount', 'their-7', $1, 10000, 9000)`,
    [purchase],
  );
  expect((await evidence(ada, purchase, shopper.account.id)).body.statement_lines).toEqual([
    expect.objectContaining({ provider: 'acme', reference: 'their-7', ours: 10_000, theirs: 9_000, explanation: null }),
  ]);
});

it('of another account or mode it is not found', async () => {
  expect((await evidence(ada, purchase, payer.account.id)).status).toBe(404);
  expect((await evidence(ada, 'wal_01kabcdefghjkmnpqrstvwxyz0', payer.account.id)).status).toBe(404);
  const live = await ada.get(`/operators/open-reviews/${purchase}?account_id=${shopper.account.id}&livemode=true`);
  expect(live.status).toBe(404);
});

it('lists what is to go back to payers, once that was decided', async () => {
  const due = async () => (await ada.get('/operators/reviews/due')).body.data;
  expect(await due()).toEqual([]);
  const decision = { account_id: funder.account.id, livemode: false, outcome: 'refund_payer', note: 'closed' };
  expect((await ada.post(`/operators/reviews/deposits/${deposit}`, decision)).status).toBe(200);
  expect(await due()).toMatchObject([
    {
      kind: 'deposit',
      id: deposit,
      account_id: funder.account.id,
      livemode: false,
      amount: 5_000,
      amount_display: 'NGN 50.00',
      provider_reference: expect.any(String),
    },
  ]);
});

it('says who proposed what, and whether that was oneself', async () => {
  const decision = { account_id: payer.account.id, livemode: false, outcome: 'accept_received', note: 'page 4' };
  const decide = (who: Browser) => who.post(`/operators/reviews/payments/${payment}`, decision);
  expect((await decide(ada)).body.settled).toBe(false);
  const vote = async (who: Browser) => (await evidence(who, payment, payer.account.id)).body.review.decisions;
  expect(await vote(ada)).toEqual([
    expect.objectContaining({ person: ada.email, mine: true, outcome: 'accept_received', note: 'page 4' }),
  ]);
  expect(await vote(bola)).toEqual([expect.objectContaining({ person: ada.email, mine: false })]);
  expect((await decide(ada)).status).toBe(409);
  expect((await decide(bola)).body).toMatchObject({ settled: true, status: 'successful' });
  expect(idsOf(await list())).not.toContain(payment);
  // What was decided can be read on.
  expect((await evidence(bola, payment, payer.account.id)).body.review).toMatchObject({
    reason: null,
    outcomes: [],
    status: 'successful',
  });
});

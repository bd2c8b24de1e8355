import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { ReviewService } from '../src/modules/purchases/review.service';
import { SweeperService } from '../src/modules/purchases/sweeper.service';
import { Duka, type TestAccount } from './support/duka';

const FUNDS = 100_000;
const PRICE = 10_000;
/** MTN's commission is 2.5 %, and airtime has no fee. */
const TOTAL = 9_750;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let duka: Duka;
let account: TestAccount;
let owner: { accountId: string; livemode: false };
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: 2 * PRICE });
});
afterAll(() => duka.stop());

beforeEach(async () => {
  account = await duka.account();
  owner = { accountId: decodeId('acct', account.id)!, livemode: false };
  wallet = (await account.api.get('/v4/wallets')).body.data[0].id;
  await fund(FUNDS);
});

const fund = (amount: number) => account.api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount });
const buy = (body: object = {}, headers: Record<string, string> = {}) =>
  account.api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: PRICE, ...body }, { headers });
const steer = (scenario: string, body: object = {}) => buy({ allow_duplicate: true, ...body }, { 'x-sandbox-scenario': scenario });
const get = async (id: string) => (await account.api.get(`/v4/transactions/${id}`)).body;
const balance = async () => (await account.api.get(`/v4/wallets/${wallet}`)).body.balance;
const eventsOf = async (id: string) =>
  (await account.api.get('/v4/events?limit=100')).body.data.filter((e: any) => e.data.object.id === id).map((e: any) => e.type).reverse();
const kindsOf = async (id: string) => (await account.api.get(`/v4/transactions/${id}/timeline`)).body.data.map((item: any) => item.kind);

/** Waits for something that happens beside the answers. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Moves the account's clock and does what is due. */
async function pass(ms: number): Promise<void> {
  const { status } = await account.api.post('/v4/sandbox/clock/advance', { seconds: ms / 1_000 });
  expect(status).toBe(200);
}

test('a sale is one debit of amount less commission, told by its record, entries, events and timeline', async () => {
  const { status, body } = await buy({ reference: 'a-1', metadata: { order: '7' } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'transaction', type: 'airtime_purchase', status: 'successful', amount: PRICE, fee: 0, commission: 250, total: TOTAL,
    recipient: '+2348031234567', balance_before: FUNDS, balance_after: FUNDS - TOTAL, provider: { name: 'sandbox', attempts: 1 }, failure: null,
    metadata: { order: '7' },
  });
  expect(body.details.breakdown).toEqual([{ kind: 'fee', amount: 0, by: 'fee_table' }, { kind: 'commission', amount: 250, by: 'catalogue' }]);
  expect(await balance()).toEqual({ available: FUNDS - TOTAL, held: 0, ledger: FUNDS - TOTAL });
  expect(await eventsOf(body.id)).toEqual(['transaction.processing', 'transaction.successful']);
  const entries = (await account.api.get(`/v4/wallets/${wallet}/entries`)).body.data.filter((e: any) => e.transaction_id === body.id);
  expect(entries.map(({ bucket, amount }: any) => [bucket, amount]).reverse()).toEqual([['available', -TOTAL], ['held', TOTAL], ['held', -TOTAL]]);
  expect((await kindsOf(body.id)).filter((kind: string) => kind.startsWith('provider'))).toEqual(['provider.attempt', 'provider.answer']);
});

test('the platform books what the provider is owed, and the commission, on accounts of their own', async () => {
  const books = async () => {
    const rows = await duka.get<DataSource>(DataSource).query(`SELECT name, available FROM ledger_accounts WHERE account_id = '00000000-0000-0000-0000-000000000000' AND NOT livemode`);
    return new Map<string, number>(rows.map((row: any) => [row.name, Number(row.available)]));
  };
  const before = await books();
  await buy();
  const after = await books();
  const change = (name: string) => after.get(name)! - (before.get(name) ?? 0);
  expect({ float: change('provider_float:sandbox'), commissions: change('commissions') }).toEqual({ float: PRICE, commissions: -250 });
});

test('the fee of the account’s tier is added, capped, and booked', async () => {
  const db = duka.get<DataSource>(DataSource);
  await db.query(`INSERT INTO fees (product, tier, currency, flat, basis_points, cap) VALUES ('airtime', 'test-tier', 'NGN', 50, 100, 120)`);
  await db.query(`UPDATE accounts SET tier = 'test-tier' WHERE id = $1`, [owner.accountId]);
  expect((await buy({ amount: 5_000, dry_run: true })).body).toMatchObject({ fee: 100, commission: 125, total: 4_975 });
  expect((await buy()).body).toMatchObject({ fee: 120, commission: 250, total: 9_870, balance_after: FUNDS - 9_870 });
});

test('a dry run answers with the lines of the hold and writes nothing', async () => {
  const before = await duka.totals();
  const { status, body } = await buy({ dry_run: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: null, status: 'pending', total: TOTAL });
  expect(body.ledger.map(({ bucket, amount }: any) => [bucket, amount])).toEqual([['available', -TOTAL], ['held', TOTAL]]);
  expect(await duka.totals()).toEqual(before);
});

test('too little money is 402 and leaves nothing behind', async () => {
  const before = await duka.totals();
  const { status, body } = await buy({ amount: 2_000_000 });
  expect([status, body.code]).toEqual([402, 'insufficient_funds']);
  expect(await duka.totals()).toEqual(before);
});

describe('repetition', () => {
  test('a key sells once and answers with the purchase as it is now', async () => {
    const first = await steer('outcome=timeout; then=delivered; delay=1m', { reference: 'r-1' });
    const headers = { 'idempotency-key': 'k-1', 'x-sandbox-scenario': 'outcome=timeout; then=delivered; delay=1m' };
    const running = await buy({ allow_duplicate: true }, headers);
    const replay = await buy({ allow_duplicate: true }, headers);
    expect([first.status, running.status, replay.status]).toEqual([202, 202, 202]);
    expect(replay.body.id).toBe(running.body.id);
    await pass(2 * MINUTE);
    const final = await buy({ allow_duplicate: true }, headers);
    expect([final.status, final.body.status, final.headers.get('idempotent-replayed')]).toEqual([201, 'successful', 'true']);
    expect((await balance()).ledger).toBe(FUNDS - 2 * TOTAL);
  });

  test('a key or reference of another request is refused', async () => {
    await buy({ reference: 'r-2' }, { 'idempotency-key': 'k-2' });
    expect((await buy({ amount: 5_000 }, { 'idempotency-key': 'k-2' })).body.code).toBe('idempotency_key_reused');
    expect((await buy({ amount: 5_000, reference: 'r-2' })).body.code).toBe('duplicate_reference');
    expect((await buy({ reference: 'r-2' })).status).toBe(200);
  });

  test('one key sent many times at once sells once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy({}, { 'idempotency-key': 'k-3' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await balance()).ledger).toBe(FUNDS - TOTAL);
  });

  test('a likely duplicate is stopped, unless it is meant', async () => {
    const { body: first } = await buy();
    const { status, body } = await buy();
    expect([status, body.code, body.resource_id]).toEqual([409, 'likely_duplicate', first.id]);
    const meant = [await buy({ allow_duplicate: true }), await buy({ reference: 'r-3' }), await buy({}, { 'idempotency-key': 'k-4' }), await buy({ amount: 5_000 })];
    expect(meant.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
  });

  test('of two equal purchases at once without a key one is stopped', async () => {
    const codes = (await Promise.all([buy(), buy()])).map(({ status }) => status);
    expect(codes.sort()).toEqual([201, 409]);
  });
});

describe('an outcome that nobody knows', () => {
  test('keeps the hold; a requery before the provider knows changes nothing', async () => {
    const { body } = await steer('outcome=timeout; then=failed; delay=1h');
    expect(body).toMatchObject({ status: 'processing', failure: null });
    expect(await balance()).toEqual({ available: FUNDS - TOTAL, held: TOTAL, ledger: FUNDS });
    const requeried = await account.api.post(`/v4/transactions/${body.id}/requery`);
    expect([requeried.status, requeried.body.status]).toEqual([200, 'processing']);
    await pass(2 * 60 * MINUTE);
    expect(await get(body.id)).toMatchObject({ status: 'failed', next_check_at: null });
    expect(await balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
    expect((await kindsOf(body.id)).filter((kind: string) => kind === 'provider.requery')).toHaveLength(2);
  });

  test('is never settled by time alone: after all requeries a person must decide', async () => {
    const { body } = await steer('outcome=timeout; then=never');
    for (let check = 0; check < 14; check++) await pass(2 * DAY);
    expect(await get(body.id)).toMatchObject({ status: 'processing' });
    expect((await balance()).held).toBe(TOTAL);
    expect((await eventsOf(body.id)).filter((type: string) => type === 'transaction.needs_review')).toHaveLength(1);
    const reviews = duka.get<ReviewService>(ReviewService);
    expect(await reviews.list(10)).toEqual([expect.objectContaining({ status: 'processing', provider: 'sandbox', decisions: [] })]);
    const key = { ...owner, id: decodeId('txn', body.id)! };
    expect(await reviews.resolve(key, { outcome: 'not_delivered', person: 'Ada', note: 'ticket 7' })).toMatchObject({ isSettled: true });
    expect(await get(body.id)).toMatchObject({ status: 'failed', failure: { code: 'resolved_by_review' } });
    expect(await balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  });

  test('a large one is settled by two different people who agree', async () => {
    const { body } = await steer('outcome=timeout; then=never', { amount: 2 * PRICE + 1 });
    const key = { ...owner, id: decodeId('txn', body.id)! };
    const reviews = duka.get<ReviewService>(ReviewService);
    const ada = { outcome: 'delivered', person: 'Ada', note: 'seen in their portal' } as const;
    expect(await reviews.resolve(key, ada)).toMatchObject({ isSettled: false });
    await expect(reviews.resolve(key, ada)).rejects.toThrow('somebody else');
    expect((await get(body.id)).status).toBe('processing');
    expect(await reviews.resolve(key, { ...ada, person: 'Bola' })).toMatchObject({ isSettled: true });
    expect((await get(body.id)).status).toBe('successful');
  });

  test('an order that never arrived counts as not delivered after ten minutes and two answers: the next provider is asked', async () => {
    const { body } = await steer('outcome=timeout; then=never');
    const operator = new Client({ connectionString: duka.env.DATABASE_URL });
    await operator.connect();
    await operator.query('DELETE FROM sandbox_orders WHERE purchase_id = $1', [decodeId('txn', body.id)]);
    await operator.end();
    await pass(MINUTE);
    expect((await get(body.id)).status).toBe('processing');
    await pass(20 * MINUTE);
    expect(await get(body.id)).toMatchObject({ status: 'processing', provider: { name: 'sandbox_backup', attempts: 2 } });
  });
});

test('what was delivered and taken back returns the money by a linked transaction', async () => {
  const { body } = await steer('outcome=delivered; then=reversed; delay=1m');
  expect(body.status).toBe('successful');
  await pass(2 * MINUTE);
  const reversed = await get(body.id);
  expect(reversed).toMatchObject({ status: 'reversed', reversed_by: expect.stringMatching(/^txn_/) });
  expect(await get(reversed.reversed_by)).toMatchObject({ type: 'reversal', direction: 'credit', amount: TOTAL, reverses: body.id, status: 'successful' });
  expect(await balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  expect(await eventsOf(body.id)).toEqual(['transaction.processing', 'transaction.successful', 'transaction.reversed']);
});

describe('waiting for money', () => {
  const inAnHour = () => new Date(Date.now() + 60 * MINUTE).toISOString();
  const queue = (body: object = {}) => buy({ amount: 200_000, on_insufficient_funds: 'queue', deliver_by: inAnHour(), ...body });

  test('goes on when the wallet is funded', async () => {
    const { status, body } = await queue();
    expect([status, body.status, body.details.queued]).toEqual([202, 'pending', true]);
    expect(await balance()).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
    await fund(200_000);
    await duka.get<SweeperService>(SweeperService).wakeQueued(owner.accountId);
    await until(async () => (await get(body.id)).status === 'successful');
    expect(await balance()).toMatchObject({ held: 0, available: FUNDS + 5_000 });
  });

  test('ends with deliver_by, and nobody was asked', async () => {
    const { body } = await queue();
    await pass(2 * 60 * MINUTE);
    await fund(200_000);
    expect(await get(body.id)).toMatchObject({ status: 'cancelled', provider: null });
    expect(await eventsOf(body.id)).toEqual(['transaction.cancelled']);
  });

  test('can be cancelled until a provider is asked', async () => {
    const { body } = await queue();
    const { status, body: cancelled } = await account.api.post(`/v4/transactions/${body.id}/cancel`);
    expect([status, cancelled.status]).toEqual([200, 'cancelled']);
    expect((await account.api.post(`/v4/transactions/${body.id}/cancel`)).body.code).toBe('invalid_state_transition');
    const { body: sold } = await buy();
    expect((await account.api.post(`/v4/transactions/${sold.id}/cancel`)).status).toBe(409);
    expect((await account.api.post(`/v4/transactions/${sold.id}/requery`)).status).toBe(409);
  });

  test('needs deliver_by, in the future', async () => {
    expect((await queue({ deliver_by: null })).body).toMatchObject({ code: 'validation_failed', param: '/deliver_by' });
    expect((await queue({ deliver_by: '2020-01-01T00:00:00Z' })).body).toMatchObject({ code: 'validation_failed', param: '/deliver_by' });
  });
});

test('a route that an operator switches off is not asked; without any the answer is 503 and nothing is recorded', async () => {
  const db = duka.get<DataSource>(DataSource);
  await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', 'glo', false, 'sandbox_backup', 1)`);
  const glo = { phone: '+2348051234567' };
  expect((await buy(glo)).body.provider.name).toBe('sandbox_backup');
  await db.query(`UPDATE provider_routes SET enabled = false WHERE network = 'glo'`);
  await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', 'airtel', false, 'no_such_provider', 1)`);
  const before = await duka.totals();
  const { status, body } = await buy({ phone: '+2348021234567' });
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  expect(await duka.totals()).toEqual(before);
});

test('live mode without a live provider answers 503', async () => {
  const key = await duka.key({ accountId: account.id, livemode: true });
  const { status, body } = await duka.api(key).post('/v4/airtime/purchase', { phone: '+2348031234567', amount: PRICE });
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
});

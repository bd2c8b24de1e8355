import { DataSource } from 'typeorm';
import { Duka } from './support/duka';
import { FUNDS, PRICE, Shopper, TOTAL } from './support/shopper';

const MINUTE = 60_000;

let duka: Duka;
let shopper: Shopper;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

beforeEach(async () => {
  shopper = await Shopper.in(duka);
});

test('a sale is one debit of amount less commission, told by its record, entries, events and timeline', async () => {
  const { status, body } = await shopper.buy({ reference: 'a-1', metadata: { order: '7' } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'transaction',
    type: 'airtime_purchase',
    status: 'successful',
    amount: PRICE,
    fee: 0,
    commission: 250,
    total: TOTAL,
    recipient: '+2348031234567',
    balance_before: FUNDS,
    balance_after: FUNDS - TOTAL,
    provider: { name: 'sandbox', attempts: 1 },
    failure: null,
    metadata: { order: '7' },
  });
  expect(body.details.breakdown).toEqual([
    { kind: 'fee', amount: 0, by: 'fee_table' },
    { kind: 'commission', amount: 250, by: 'catalogue' },
  ]);
  expect(await shopper.balance()).toEqual({ available: FUNDS - TOTAL, held: 0, ledger: FUNDS - TOTAL });
  expect(await shopper.eventsOf(body.id)).toEqual(['transaction.processing', 'transaction.successful']);
  const entries = (await shopper.account.api.get(`/v4/wallets/${shopper.wallet}/entries`)).body.data.filter(
    (e: any) => e.transaction_id === body.id,
  );
  expect(entries.map(({ bucket, amount }: any) => [bucket, amount]).reverse()).toEqual([
    ['available', -TOTAL],
    ['held', TOTAL],
    ['held', -TOTAL],
  ]);
  expect((await shopper.kindsOf(body.id)).filter((kind: string) => kind.startsWith('provider'))).toEqual([
    'provider.attempt',
    'provider.answer',
  ]);
});

test('the platform books what the provider is owed, and the commission, on accounts of their own', async () => {
  const books = async () => {
    const rows = await duka
      .get<DataSource>(DataSource)
      .query(
        `SELECT name, sum(available) AS available FROM ledger_accounts WHERE account_id = '00000000-0000-0000-0000-000000000000' AND NOT livemode GROUP BY name`,
      );
    return new Map<string, number>(rows.map((row: any) => [row.name, Number(row.available)]));
  };
  const before = await books();
  await shopper.buy();
  const after = await books();
  const change = (name: string) => after.get(name)! - (before.get(name) ?? 0);
  expect({ float: change('provider_float:sandbox'), commissions: change('commissions') }).toEqual({
    float: PRICE,
    commissions: -250,
  });
});

test('the fee of the account’s tier is added, capped, and booked', async () => {
  const db = duka.get<DataSource>(DataSource);
  await db.query(
    `INSERT INTO fees (product, tier, currency, flat, basis_points, cap) VALUES ('airtime', 'test-tier', 'NGN', 50, 100, 120)`,
  );
  await duka.asOwner(`UPDATE accounts SET tier = 'test-tier' WHERE id = $1`, [shopper.owner.accountId]);
  expect((await shopper.buy({ amount: 5_000, dry_run: true })).body).toMatchObject({
    fee: 100,
    commission: 125,
    total: 4_975,
  });
  expect((await shopper.buy()).body).toMatchObject({
    fee: 120,
    commission: 250,
    total: 9_870,
    balance_after: FUNDS - 9_870,
  });
});

test('a dry run answers with the lines of the hold and writes nothing', async () => {
  const before = await duka.totals();
  const { status, body } = await shopper.buy({ dry_run: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: null, status: 'pending', total: TOTAL });
  expect(body.ledger.map(({ bucket, amount }: any) => [bucket, amount])).toEqual([
    ['available', -TOTAL],
    ['held', TOTAL],
  ]);
  expect(await duka.totals()).toEqual(before);
});

test('too little money is 402 and leaves nothing behind', async () => {
  const before = await duka.totals();
  const { status, body } = await shopper.buy({ amount: 2_000_000 });
  expect([status, body.code]).toEqual([402, 'insufficient_funds']);
  expect(await duka.totals()).toEqual(before);
});

describe('repetition', () => {
  test('a key sells once and answers with the purchase as it is now', async () => {
    const first = await shopper.steer('outcome=timeout; then=delivered; delay=1m', { reference: 'r-1' });
    const headers = { 'idempotency-key': 'k-1', 'x-sandbox-scenario': 'outcome=timeout; then=delivered; delay=1m' };
    const running = await shopper.buy({ allow_duplicate: true }, headers);
    const replay = await shopper.buy({ allow_duplicate: true }, headers);
    expect([first.status, running.status, replay.status]).toEqual([202, 202, 202]);
    expect(replay.body.id).toBe(running.body.id);
    await shopper.pass(2 * MINUTE);
    const final = await shopper.buy({ allow_duplicate: true }, headers);
    expect([final.status, final.body.status, final.headers.get('idempotent-replayed')]).toEqual([
      201,
      'successful',
      'true',
    ]);
    expect((await shopper.balance()).ledger).toBe(FUNDS - 2 * TOTAL);
  });

  test('a key or reference of another request is refused', async () => {
    await shopper.buy({ reference: 'r-2' }, { 'idempotency-key': 'k-2' });
    expect((await shopper.buy({ amount: 5_000 }, { 'idempotency-key': 'k-2' })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await shopper.buy({ amount: 5_000, reference: 'r-2' })).body.code).toBe('duplicate_reference');
    expect((await shopper.buy({ reference: 'r-2' })).status).toBe(200);
  });

  test('one key sent many times at once sells once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => shopper.buy({}, { 'idempotency-key': 'k-3' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await shopper.balance()).ledger).toBe(FUNDS - TOTAL);
  });

  test('a likely duplicate is stopped, unless it is meant', async () => {
    const { body: first } = await shopper.buy();
    const { status, body } = await shopper.buy();
    expect([status, body.code, body.resource_id]).toEqual([409, 'likely_duplicate', first.id]);
    const meant = [
      await shopper.buy({ allow_duplicate: true }),
      await shopper.buy({ reference: 'r-3' }),
      await shopper.buy({}, { 'idempotency-key': 'k-4' }),
      await shopper.buy({ amount: 5_000 }),
    ];
    expect(meant.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
  });

  test('of two equal purchases at once without a key one is stopped', async () => {
    const codes = (await Promise.all([shopper.buy(), shopper.buy()])).map(({ status }) => status);
    expect(codes.toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

test('a route that an operator switches off is not asked; without any the answer is 503 and nothing is recorded', async () => {
  const db = duka.get<DataSource>(DataSource);
  await db.query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', 'glo', false, 'sandbox_backup', 1)`,
  );
  const glo = { phone: '+2348051234567' };
  expect((await shopper.buy(glo)).body.provider.name).toBe('sandbox_backup');
  await db.query(`UPDATE provider_routes SET enabled = false WHERE network = 'glo'`);
  await db.query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', 'airtel', false, 'no_such_provider', 1)`,
  );
  const before = await duka.totals();
  const { status, body } = await shopper.buy({ phone: '+2348021234567' });
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  expect(await duka.totals()).toEqual(before);
});

test('live mode without a live provider answers 503', async () => {
  const key = await duka.key({ accountId: shopper.account.id, livemode: true });
  const { status, body } = await duka.api(key).post('/v4/airtime/purchase', { phone: '+2348031234567', amount: PRICE });
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
});

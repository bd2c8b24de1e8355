import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { DaysService } from '../src/modules/statements/days.service';
import { deposit } from './support/belongings';
import { brokenChecks, IN_PIECES } from './support/books';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';

const DAY_MS = 86_400_000;

let duka: Duka;
let shop: TestAccount;
let wallet: string;
let other: string;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  shop = await duka.account();
  [wallet, other] = [await shop.api.wallet(1_000_000), await shop.api.wallet()];
});
afterAll(() => duka.stop());

/** As if it were so many days later. */
const closeIn = (days: number, by: Duka = duka): Promise<void> =>
  by.get<DaysService>(DaysService).close(new Date(Date.now() + days * DAY_MS));

/** Newest first. */
const daysOf = async (id = wallet): Promise<any[]> => shop.api.all(`/v4/wallets/${id}/days?limit=3`);

const statementOf = async (query: string): Promise<any> =>
  (await shop.api.get(`/v4/wallets/${wallet}/statement?${query}`)).body;

const dateIn = (days: number, timeZone = 'Africa/Lagos'): string =>
  new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv-SE', { timeZone });

it('closes a day as its statement tells it, once, with an event', async () => {
  expect(await daysOf()).toEqual([]);
  await shop.api.transfer(wallet, other, 250_000);
  await shop.api.transfer(other, wallet, 50_000);
  const { body: held } = await shop.api.post('/v4/airtime/purchase', {
    phone: '+2348000001111',
    amount: 10_000,
    wallet_id: wallet,
  });
  const date = dateIn(0);
  expect(await statementOf(`from=${date}&to=${date}`)).toMatchObject({ closed: false, closing: 800_000 });
  await closeIn(1);
  await closeIn(1);
  const [day, ...more] = await daysOf();
  expect(more).toEqual([]);
  expect(day).toMatchObject({
    object: 'day',
    wallet_id: wallet,
    currency: 'NGN',
    date,
    ends_at: `${date}T23:00:00.000Z`,
    opening: 0,
    total_in: 1_050_000,
    total_out: 250_000,
    closing: 800_000,
    counts: { deposit: 1, transfer_out: 1, transfer_in: 1 },
    previous_hash: '0'.repeat(64),
    livemode: false,
  });
  const statement = await statementOf(`from=${date}&to=${date}`);
  expect(statement).toMatchObject({ closed: true, to: day.ends_at });
  for (const field of ['opening', 'total_in', 'total_out', 'closing']) expect(statement[field]).toBe(day[field]);
  const { body: events } = await shop.api.get('/v4/events?type=day.closed');
  expect(events.data.filter((event: any) => event.data.object.wallet_id === wallet)).toMatchObject([
    { type: 'day.closed', data: { object: day } },
  ]);
  await shop.api.post(`/v4/sandbox/transactions/${held.id}/settle`, { status: 'successful' });
});

it('catches up with as many days as were missed, each on the hash of the one before', async () => {
  await closeIn(5);
  const days = (await daysOf()).reverse();
  expect(days.map(({ date }) => date)).toEqual([0, 1, 2, 3, 4].map((ahead) => dateIn(ahead)));
  expect(days.map(({ closing }) => closing)).toEqual(Array(5).fill(1_000_000));
  expect(days.map(({ counts }) => counts)).toEqual([{ deposit: 1 }, {}, {}, {}, {}]);
  for (const [i, day] of days.entries()) expect(day.previous_hash).toBe(days[i - 1]?.hash ?? '0'.repeat(64));
});

it('tells of more than a number holds by null, in the day, its statement and its event', async () => {
  const all = Number.MAX_SAFE_INTEGER;
  await deposit(duka, wallet, BigInt(all) - 1_000_000n);
  for (const [from, to] of [
    [wallet, other],
    [other, wallet],
    [wallet, other],
    [other, wallet],
  ] as const)
    expect((await shop.api.transfer(from, to, all, { allow_duplicate: true })).status).toBe(201);
  await closeIn(1);
  const [day] = await daysOf();
  expect(day).toMatchObject({ opening: 0, total_in: null, total_out: null, closing: all });
  const date = dateIn(0);
  const statement = await statementOf(`from=${date}&to=${date}`);
  expect(statement).toMatchObject({ closed: true, total_in: null, total_out: null, closing: all });
  const sum = (name: 'in' | 'out') => statement.data.reduce((of: bigint, line: any) => of + BigInt(line[name]), 0n);
  expect([sum('in'), sum('out')]).toEqual([3n * BigInt(all), 2n * BigInt(all)]);
  const { status, body: events } = await shop.api.get('/v4/events?type=day.closed');
  expect([status, events.data.find(({ data }: any) => data.object.id === day.id)?.data.object]).toEqual([200, day]);
});

it('what is committed after a day was closed is in the day in which it arrives', async () => {
  const key = randomUUID();
  const stranger = new Client({ connectionString: duka.env.DATABASE_URL });
  await stranger.connect();
  try {
    // The transfer is decided, has its time, and then waits for whoever has its key, as long as we like.
    await stranger.query('BEGIN');
    await stranger.query(
      `INSERT INTO claims (account_id, livemode, kind, value, fingerprint, resource, resource_id)
       VALUES ($1, false, 'key', $2, '', 'trf', gen_random_uuid())`,
      [decodeId('acct', shop.id), key],
    );
    const late = shop.api.transfer(wallet, other, 300, { key });
    await until(async () => (await duka.waiting()) > 0);
    const begun = new Date();
    await closeIn(1);
    const date = dateIn(0);
    const before = await statementOf(`from=${date}&to=${date}`);
    await stranger.query('ROLLBACK');
    expect((await late).status).toBe(201);
    // By its time it would be of the closed day.
    const [entry] = (await shop.api.get(`/v4/wallets/${wallet}/entries?limit=1`)).body.data;
    expect(entry.amount).toBe(-300);
    expect(Date.parse(entry.created_at)).toBeLessThanOrEqual(begun.getTime());
    expect(await statementOf(`from=${date}&to=${date}`)).toEqual(before);
    expect(before).toMatchObject({ closed: true, closing: 1_000_000 });
    await closeIn(2);
    const [second, first] = await daysOf();
    expect(first).toMatchObject({ date, closing: 1_000_000, total_out: 0 });
    expect(second).toMatchObject({ opening: 1_000_000, total_out: 300, closing: 999_700, counts: { transfer_out: 1 } });
    const next = await statementOf(`from=${dateIn(1)}&to=${dateIn(1)}`);
    expect(next).toMatchObject({ opening: 1_000_000, closing: 999_700, data: [{ out: 300, balance: 999_700 }] });
  } finally {
    await stranger.end();
  }
});

it('two processes that close at once make each day once', async () => {
  const twin = await duka.twin();
  await Promise.all(Array.from({ length: 20 }, () => shop.api.wallet(5)));
  // With the one that every account begins with.
  const wallets = (await shop.api.all('/v4/wallets?limit=100')).map(({ id }) => id as string);
  expect(wallets).toHaveLength(23);
  await Promise.all([closeIn(4), closeIn(4, twin), closeIn(4), closeIn(4, twin)]);
  // One may have left to the other what it then was about to do.
  await closeIn(4);
  await twin.app.close();
  const counts = await Promise.all(wallets.map(async (id) => (await daysOf(id)).length));
  expect(counts).toEqual(wallets.map(() => 4));
  expect(await shop.api.all('/v4/events?type=day.closed&limit=100')).toHaveLength(4 * wallets.length);
});

it('days end where the account is, and a closed day keeps its end when it moves', async () => {
  const line = CommandLine.on(duka.env.DATABASE_URL!);
  const person = await line.person('clocks@example.com', true);
  const move = (zone: string) => line.duka('account:time-zone', '--account', shop.id, '--zone', zone, ...person);
  await closeIn(1);
  const { json: moved } = await move('America/New_York');
  expect(moved).toMatchObject({ id: shop.id, time_zone: 'America/New_York' });
  expect((await shop.api.get('/v4/account')).body.time_zone).toBe('America/New_York');
  await closeIn(3);
  const [last, ...earlier] = await daysOf();
  expect(earlier.at(-1).ends_at).toBe(`${dateIn(0)}T23:00:00.000Z`);
  expect(last.ends_at).toMatch(/T0[45]:00:00.000Z$/);
  const [from, to] = [earlier.at(-1).date, last.date];
  expect(await statementOf(`from=${from}&to=${from}`)).toMatchObject({ to: earlier.at(-1).ends_at, closed: true });
  expect(await statementOf(`from=${from}&to=${to}`)).toMatchObject({ to: last.ends_at, closed: true });
  expect((await move('Mars/Olympus')).status).not.toBe(0);
});

describe('an account that moves', () => {
  let person: string[];
  let line: CommandLine;
  beforeAll(async () => {
    line = CommandLine.on(duka.env.DATABASE_URL!);
    person = await line.person('zones@example.com', true);
  });
  const move = (zone: string) => line.duka('account:time-zone', '--account', shop.id, '--zone', zone, ...person);
  /** As far to the west and to the east as there are days. */
  const [WEST, EAST] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'];

  it('has the same statements of its first closed day and of days before it', async () => {
    await shop.api.transfer(wallet, other, 250_000);
    await closeIn(1);
    const periods = [
      [0, 0],
      [-2, 0],
      [-3, -1],
    ].map(([a, b]) => `from=${dateIn(a!)}&to=${dateIn(b!)}`);
    const told = () => Promise.all(periods.map(statementOf));
    const before = await told();
    expect(before.map(({ closed, closing }) => [closed, closing])).toEqual([
      [true, 750_000],
      [true, 750_000],
      [true, 0],
    ]);
    expect(before[0].from).toBe(`${dateIn(-1)}T23:00:00.000Z`);
    for (const zone of [WEST, EAST]) {
      await move(zone);
      expect(await told()).toEqual(before.map((statement) => ({ ...statement, time_zone: zone })));
    }
  });

  it('over a whole day to the east has no day that ends before it began', async () => {
    await move(WEST);
    await closeIn(2);
    const [last] = await daysOf();
    await move(EAST);
    await closeIn(5);
    const next = (await daysOf()).filter(({ date }) => date > last.date).reverse();
    expect(next.map(({ ends_at }) => Date.parse(ends_at) - Date.parse(last.ends_at))).toEqual(
      next.map((_, i) => (i === 0 ? 0 : i * DAY_MS - 3_600_000)),
    );
    expect(next.length).toBeGreaterThan(1);
    expect(await brokenChecks(duka.env.DATABASE_URL!)).toEqual([]);
  });
});

it('a wallet that is closed for good has no more days', async () => {
  await shop.api.post(`/v4/wallets/${other}/close`);
  await closeIn(1);
  await closeIn(6);
  expect(await daysOf(other)).toHaveLength(1);
});

it.each([
  ['an amount', 'UPDATE wallet_days SET total_in = total_in + 5, total_out = total_out + 5', ['days_are_chained']],
  ['a count', `UPDATE wallet_days SET counts = '{"deposit": 2}'`, ['days_are_chained']],
  [
    'a closing balance',
    'UPDATE wallet_days SET closing = closing + 1, total_in = total_in + 1',
    ['days_close_as_the_books_stood'],
  ],
  ['a day that is gone', 'DELETE FROM wallet_days', ['days_are_chained']],
])('verify:ledger finds %s that somebody changed', async (what, change, checks) => {
  await closeIn(3);
  const id = decodeId('wal', wallet);
  const rows = await duka.asOwner('SELECT *, date::text FROM wallet_days WHERE wallet_id = $1', [id]);
  expect(await brokenChecks(duka.env.DATABASE_URL!)).toEqual([]);
  await duka.asOwner(`CREATE TABLE kept AS SELECT * FROM wallet_days WHERE wallet_id = '${id}'`);
  await duka.asOwner(`${change} WHERE wallet_id = $1 AND date = $2`, [id, rows[1]!.date]);
  for (const options of [{}, IN_PIECES]) {
    const broken = (await brokenChecks(duka.env.DATABASE_URL!, [], options)).map(({ check }) => check);
    expect(broken).toEqual(expect.arrayContaining(checks));
  }
  await duka.asOwner('DELETE FROM wallet_days WHERE wallet_id = $1', [id]);
  await duka.asOwner('INSERT INTO wallet_days SELECT * FROM kept');
  await duka.asOwner('DROP TABLE kept');
});

it('is for keys that may see wallets, of the account and mode of the wallet', async () => {
  await closeIn(1);
  const path = `/v4/wallets/${wallet}/days`;
  const ask = async (wanted: object) =>
    (await duka.api(await duka.key({ accountId: shop.id, ...wanted })).get(path)).status;
  expect(await ask({ scopes: ['transactions:read'] })).toBe(403);
  expect(await ask({ scopes: ['wallets:read'] })).toBe(200);
  expect(await ask({ livemode: true })).toBe(404);
  expect((await (await duka.account()).api.get(path)).status).toBe(404);
});

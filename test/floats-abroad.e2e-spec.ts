import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { FloatBookings } from '../src/modules/purchases/float-bookings';
import { LedgerAccountsService } from '../src/modules/ledger/accounts.service';
import { Floats } from '../src/providers/floats';
import { Company } from './pretended/dtone/company';
import type { Api } from './support/api';
import { brokenChecks, movedBy } from './support/books';
import { Duka } from './support/duka';
import { setRate } from './support/rates';
import { until } from './support/recurring-probe';

const ROUTE = `
  INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', '*', true, 'dtone', 1)`;
const PRICE = 105_000;
/** Off the price, in naira: the catalogue gives 2.5 %. */
const COMMISSION = 2_625;
/** 1,050 NGN at 1,500 for a dollar, less 3 %: 67.9 cents, rounded up. */
const COST = 68;
const CENT = 1_000n;

// What is sold in one currency, and paid by a float in another: DT One has dollars of ours.
const company = Object.assign(new Company(), { operatorMs: 0 });
let duka: Duka;
let live: Api;
let naira: string;
let dollars: string;
let bookings: FloatBookings;
let numbers = 0;

beforeAll(async () => {
  await company.listen();
  Object.assign(process.env, company.settings);
  duka = await Duka.start({ WORKER_IN_API: true });
  company.callbackUrl = `${duka.url}/`;
  await duka.get<DataSource>(DataSource).query(ROUTE);
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1600', livemode: true });
  const account = (await duka.account()).id;
  live = duka.api(await duka.key({ accountId: account, livemode: true }));
  [naira, dollars] = [await live.wallet(), await live.wallet(undefined, 'USD')];
  await duka.fund(naira, 10_000_000n);
  await duka.fund(dollars, 100_000n);
  bookings = duka.get<FloatBookings>(FloatBookings);
  const opening = {
    provider: 'dtone',
    currency: 'USD',
    reference: 'opening',
    person: 'Ada',
    reason: 'transfer',
  } as const;
  await bookings.move({ ...opening, amount: company.float / CENT });
});
afterAll(async () => {
  // Sums the books, too.
  await duka.stop();
  await company.stop();
});

const shown = async (id: string) => (await live.get(`/v4/transactions/${id}`)).body;
const becomes = (id: string, status: string) => until(async () => (await shown(id)).status === status, 20);
/** It is placed, called back about, and found. */
async function buy(more: object = {}): Promise<string> {
  const phone = `+23480312${String(++numbers).padStart(5, '0')}`;
  const { status, body } = await live.post('/v4/airtime/purchase', { phone, amount: PRICE, wallet_id: naira, ...more });
  // Their callback may be there before Duka has answered.
  expect([202, 201]).toContain(status);
  await becomes(body.id, 'successful');
  return body.id as string;
}
const takenBack = async (id: string): Promise<void> => {
  const reference = company.transactions.at(-1)!.reference;
  await company.settle(reference, 'REVERSED');
  await becomes(id, 'reversed');
};
/** What a reversal moves: all that was moved, the other way. */
const back = (moved: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(moved)
      .filter(([what]) => !what.endsWith('held'))
      .map(([what, amount]) => [what, -amount]),
  );
const SOLD = {
  'commissions NGN': -COMMISSION,
  'fx_position NGN': PRICE,
  'fx_position USD': -COST,
  'provider_float USD': COST,
  'wallet NGN': COMMISSION - PRICE,
  'wallet NGN held': 0,
};

it('goes down by what a delivery cost, in its own currency; the position has the price', async () => {
  const [before, booked] = [company.float, await bookings.inBooks('dtone', 'USD')];
  const id = await buy();
  expect(await movedBy(duka, id)).toEqual(SOLD);
  expect(booked - (await bookings.inBooks('dtone', 'USD'))).toBe(BigInt(COST));
  // They count in a thousandth of a cent.
  expect(before - company.float).toBe(67_900n);
  expect(await bookings.inBooks('dtone', 'NGN')).toBe(0n);
  const margins = duka.get<LedgerAccountsService>(LedgerAccountsService).platformBalance('margins', 'NGN', true);
  expect(await margins).toBe(0n);
});

it('has it back, as the wallet has the price, when the delivery is taken back', async () => {
  const booked = await bookings.inBooks('dtone', 'USD');
  const id = await buy();
  await takenBack(id);
  expect(await movedBy(duka, (await shown(id)).reversed_by)).toEqual(back(SOLD));
  expect(await bookings.inBooks('dtone', 'USD')).toBe(booked);
});

it('is paid from a wallet of yet another currency, and what that took stands beside it', async () => {
  const id = await buy({ wallet_id: dollars, convert: true });
  const { amount, fee } = await shown(id);
  // 1,023.75 NGN at 1,600 for a dollar, rounded up.
  expect([amount, fee]).toEqual([64, 0]);
  const moved = {
    'commissions NGN': -COMMISSION,
    // What was bought for the wallet went into what was sold.
    'fx_position NGN': COMMISSION,
    'fx_position USD': 64 - COST,
    'provider_float USD': COST,
    'wallet USD': -64,
    'wallet USD held': 0,
  };
  expect(await movedBy(duka, id)).toEqual(moved);
  await takenBack(id);
  expect(await movedBy(duka, (await shown(id)).reversed_by)).toEqual(back(moved));
});

it('agrees with a statement in its own currency', async () => {
  const id = await buy();
  const { reference } = company.transactions.at(-1)!;
  const lines = company.transactions
    .filter(({ of }) => of === 'COMPLETED')
    .map((one) => ({ reference: one.reference, amount: (one.cost + CENT - 1n) / CENT }));
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const opening = { reference: 'opening', amount: -1_000_000_00n };
  expect(await bookings.reconcile('dtone', 'USD', { ...period, lines: [...lines, opening] })).toEqual({
    agreed: expect.any(Number),
    differences: [],
  });
  expect(await bookings.reconcile('dtone', 'NGN', { ...period, lines: [] })).toEqual({ agreed: 0, differences: [] });
  const wrong = lines.map((line) => (line.reference === reference ? { ...line, amount: 67n } : line));
  const { differences } = await bookings.reconcile('dtone', 'USD', { ...period, lines: [...wrong, opening] });
  expect(differences).toMatchObject([{ kind: 'amount', transaction: id, ours: 68n, theirs: 67n }]);
});

it('is watched in its own currency: below its floor nobody is asked to sell naira', async () => {
  const floats = duka.get<Floats>(Floats);
  const told = await floats.ask('dtone', 'USD');
  expect(told).toBe(company.available / CENT);
  const order = { phone: '+2348031299999', amount: PRICE, wallet_id: naira };
  const asked = company.heard.length;
  await floats.setFloor('dtone', 'USD', told! + 1n);
  const { status, body } = await live.post('/v4/airtime/purchase', order);
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  expect(company.heard).toHaveLength(asked);
  await floats.setFloor('dtone', 'USD', null);
  await buy();
});

it('verify:ledger finds what cost otherwise than its delivery says', async () => {
  const id = decodeId('txn', await buy());
  const broken = async (): Promise<string[]> => (await brokenChecks(duka.env.DATABASE_URL!)).map(({ check }) => check);
  expect(await broken()).toEqual([]);
  const set = (values: string) => duka.asOwner(`UPDATE purchase_attempts SET ${values} WHERE purchase_id = $1`, [id]);
  for (const values of ['cost = 67', `cost_currency = 'EUR'`, 'cost_currency = NULL', `outcome = 'accepted'`]) {
    await set(values);
    expect(await broken()).toContain('postings_in_two_currencies_are_conversions');
    await set(`cost = ${COST}, cost_currency = 'USD', outcome = 'delivered'`);
  }
  expect(await broken()).toEqual([]);
});

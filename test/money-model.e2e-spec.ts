import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { newId } from '../src/core/http/ids';
import { CardNetwork } from './support/card-network';
import { carriedOut } from './support/batches';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

/** Naira for a dollar, before the spread. */
const RATE = 1_550;
const PAYOUT_FEE = 5_000;
const BANK = { code: '058', account_number: '0123456789' };
/** Sequences: `MODEL_RUNS=10000 npm test -- test/money-model`. */
const RUNS = Number(process.env.MODEL_RUNS ?? 10);
/** Each of an account of its own, so many side by side. */
const LANES = Math.min(8, Math.ceil(RUNS / 5));

/** Every posting balances in each currency, at whatever moment it is looked. */
const UNBALANCED = `
  SELECT currency, sum(available + held)::text AS sum FROM ledger_accounts GROUP BY currency
  HAVING sum(available + held) <> 0`;

type Purse = 'naira' | 'spare' | 'dollars';

/** Minor units. */
interface Model extends Record<Purse, number> {
  card: number;
  held: number;
  debt: number;
  payments: { id: string; left: number }[];
  payouts: { id: string; amount: number }[];
  authorized: { id: string; amount: number }[];
  cleared: { id: string; left: number }[];
}

interface Real {
  network: CardNetwork;
  wallets: Record<Purse, string>;
  /** A virtual account of the naira wallet. */
  number: string;
}

type Command = fc.AsyncCommand<Model, Real>;

async function expectSame(m: Model, { network, wallets }: Real): Promise<void> {
  const [{ body: list }, { body: card }] = await Promise.all([
    network.api.get('/v4/wallets?limit=100'),
    network.api.get(`/v4/cards/${network.card}`),
  ]);
  const found = new Map<string, number[]>(
    list.data.map(({ id, balance }: any) => [id, [balance.available, balance.held]]),
  );
  const purses = (['naira', 'spare', 'dollars'] as const).map((purse) => [purse, found.get(wallets[purse])]);
  expect({ ...Object.fromEntries(purses), card: [card.balance.available, card.balance.held], debt: card.debt }).toEqual(
    { naira: [m.naira, 0], spare: [m.spare, 0], dollars: [m.dollars, 0], card: [m.card, m.held], debt: m.debt },
  );
}

const command = (
  name: string,
  run: (m: Model, r: Real) => Promise<void>,
  check: (m: Model) => boolean = () => true,
): Command => ({
  check,
  run: async (m, r) => {
    await run(m, r);
    await expectSame(m, r);
  },
  toString: () => name,
});

const post = ({ network }: Real, path: string, body: object): Promise<Answer> =>
  network.api.post(path, body, { key: newId() });

const at = <T>(list: T[], index: number): T => list[index % list.length]!;

const pay = (thousands: number) =>
  command(`pay(${thousands})`, async (m, r) => {
    const amount = thousands * 100_000;
    const { body } = await post(r, '/api/v1/payments', { amount, currency: 'NGN', wallet_id: r.wallets.naira });
    expect((await post(r, `/v4/sandbox/payments/${body.id}/complete`, { status: 'successful' })).status).toBe(200);
    // 1.5 %.
    m.naira += amount - thousands * 1_500;
    m.payments.push({ id: body.id, left: amount });
  });

const refund = (index: number, amount: number) =>
  command(
    `refund(${index}, ${amount})`,
    async (m, r) => {
      const payment = at(m.payments, index);
      const { status } = await post(r, `/api/v1/payments/${payment.id}/refunds`, { amount });
      expect(status).toBe(amount > payment.left ? 422 : amount > m.naira ? 402 : 201);
      if (status !== 201) return;
      payment.left -= amount;
      m.naira -= amount;
    },
    (m) => m.payments.length > 0,
  );

const payOut = (amount: number) =>
  command(`payOut(${amount})`, async (m, r) => {
    const { status, body } = await post(r, '/v4/payouts', { wallet_id: r.wallets.naira, amount, bank: BANK });
    expect(status).toBe(amount + PAYOUT_FEE > m.naira ? 402 : 201);
    if (status !== 201) return;
    m.naira -= amount + PAYOUT_FEE;
    m.payouts.push({ id: body.id, amount });
  });

const comesBack = (index: number) =>
  command(
    `comesBack(${index})`,
    async (m, r) => {
      const [payout] = m.payouts.splice(index % m.payouts.length, 1);
      const { status } = await post(r, `/v4/sandbox/transactions/${payout!.id}/settle`, { status: 'reversed' });
      expect(status).toBe(200);
      m.naira += payout!.amount + PAYOUT_FEE;
    },
    (m) => m.payouts.length > 0,
  );

const deposit = (amount: number) =>
  command(`deposit(${amount})`, async (m, r) => {
    const paid = { amount, payer_name: 'Ada Obi' };
    expect((await post(r, `/v4/sandbox/virtual-accounts/${r.number}/deposit`, paid)).status).toBe(201);
    m.naira += amount;
  });

/** What was bought, and null when the wallet could not pay for it. */
async function convert(m: Model, r: Real, sell: 'naira' | 'dollars', amount: number): Promise<number | null> {
  const buy = sell === 'naira' ? 'dollars' : 'naira';
  const [from_currency, to_currency] = sell === 'naira' ? ['NGN', 'USD'] : ['USD', 'NGN'];
  const { status: quoted, body: quote } = await post(r, '/v4/quotes', { from_currency, to_currency, amount });
  expect(quoted).toBe(201);
  const { status } = await post(r, '/v4/conversions', {
    quote_id: quote.id,
    from_wallet: r.wallets[sell],
    to_wallet: r.wallets[buy],
  });
  expect(status).toBe(amount > m[sell] ? 402 : 201);
  if (status !== 201) return null;
  m[sell] -= amount;
  m[buy] += quote.buy_amount;
  const [sold, bought] = sell === 'naira' ? [amount, quote.buy_amount * RATE] : [amount * RATE, quote.buy_amount];
  expect(bought).toBeLessThanOrEqual(sold);
  return quote.buy_amount;
}

const convertOnce = (sell: 'naira' | 'dollars', amount: number) =>
  command(`convert(${sell}, ${amount})`, async (m, r) => {
    await convert(m, r, sell, amount);
  });

const thereAndBack = (amount: number) =>
  command(`thereAndBack(${amount})`, async (m, r) => {
    const bought = await convert(m, r, 'dollars', amount);
    if (bought === null) return;
    expect(await convert(m, r, 'naira', bought)).toBeLessThanOrEqual(amount);
  });

/** Of the price a few percent are the seller's commission, which is ours to give away. */
const COMMISSION_MAX = 0.05;
let phones = 0;

/** Airtime in naira, paid in dollars: never for less than it is worth. */
const buyAbroad = (amount: number) =>
  command(`buyAbroad(${amount})`, async (m, r) => {
    const phone = `+23480312${String(++phones).padStart(5, '0')}`;
    const order = { phone, amount, wallet_id: r.wallets.dollars, convert: true };
    const { status, body } = await post(r, '/v4/airtime/purchase', order);
    const worth = (amount * (1 - COMMISSION_MAX)) / RATE;
    if (status === 402) return expect(m.dollars).toBeLessThan(Math.ceil((amount * 1.05) / RATE) + 1);
    expect([status, body.status, body.currency]).toEqual([201, 'successful', 'USD']);
    expect(body.total).toBeGreaterThanOrEqual(worth);
    m.dollars -= body.total;
  });

const batch = (amounts: number[]) =>
  command(`batch(${amounts.join()})`, async (m, r) => {
    const { naira: from, spare: to } = r.wallets;
    const items = amounts.map((amount) => ({ from_wallet: from, to_wallet: to, amount, reference: newId() }));
    const { counts } = await carriedOut(r.network.api, { kind: 'transfer', on_error: 'continue', items });
    const moved = (await r.network.api.balance(to)).available - m.spare;
    // Which of its rows could be paid is the batch's own affair when not all of them could.
    const wanted = amounts.reduce((sum, one) => sum + one, 0);
    if (wanted <= m.naira) expect([moved, counts.successful]).toEqual([wanted, amounts.length]);
    else expect(moved).toBeLessThanOrEqual(m.naira);
    m.naira -= moved;
    m.spare += moved;
  });

const isActive = async ({ network }: Real): Promise<boolean> =>
  (await network.api.get(`/v4/cards/${network.card}`)).body.status === 'active';

const authorize = (amount: number) =>
  command(`authorize(${amount})`, async (m, r) => {
    const isExpected = (await isActive(r)) && amount <= m.card;
    const { id, status } = await r.network.done('authorization', { amount });
    expect(status).toBe(isExpected ? 'authorized' : 'declined');
    if (!isExpected) return;
    m.card -= amount;
    m.held += amount;
    m.authorized.push({ id, amount });
  });

/** What is cleared above the authorization is paid by the card, then by the wallet, else it is a debt. */
const clear = (index: number, over: number) =>
  command(
    `clear(${index}, +${over})`,
    async (m, r) => {
      const [{ id, amount }] = m.authorized.splice(index % m.authorized.length, 1) as [{ id: string; amount: number }];
      expect((await r.network.step('clearing', id, amount + over)).status).toBe(201);
      const byCard = Math.min(over, m.card);
      const byWallet = Math.min(over - byCard, m.dollars);
      m.held -= amount;
      m.card -= byCard;
      m.dollars -= byWallet;
      m.debt += over - byCard - byWallet;
      m.cleared.push({ id, left: amount + over });
    },
    (m) => m.authorized.length > 0,
  );

function arrivesOnCard(m: Model, amount: number): void {
  const paid = Math.min(m.debt, amount);
  m.debt -= paid;
  m.card += amount - paid;
}

const load = (amount: number) =>
  command(`load(${amount})`, async (m, r) => {
    const { status } = await post(r, `/v4/cards/${r.network.card}/fund`, { amount });
    if (status === 409) return expect([await isActive(r), m.debt]).toEqual([false, 0]);
    expect(status).toBe(amount > m.dollars ? 402 : 201);
    if (status !== 201) return;
    m.dollars -= amount;
    arrivesOnCard(m, amount);
    await r.network.api.post(`/v4/cards/${r.network.card}/unfreeze`);
  });

const dispute = (index: number, amount: number) =>
  command(
    `dispute(${index}, ${amount})`,
    async (m, r) => {
      const paid = at(m.cleared, index);
      const order = { amount, reason: 'not_received', evidence: { text: 'PROVISIONAL WIN' } };
      const { status } = await post(r, `/v4/card-transactions/${paid.id}/disputes`, order);
      expect(status).toBe(amount > paid.left ? 422 : 201);
      if (status !== 201) return;
      paid.left -= amount;
      arrivesOnCard(m, amount);
    },
    (m) => m.cleared.length > 0,
  );

const index = fc.nat(5);
const naira = fc.integer({ min: 1, max: 300 }).map((thousands) => thousands * 1_000);
const cents = fc.integer({ min: 10, max: 900 });
const commands: fc.Arbitrary<Command>[] = [
  fc.integer({ min: 1, max: 4 }).map(pay),
  fc.tuple(index, naira).map((args) => refund(...args)),
  naira.map(payOut),
  index.map(comesBack),
  naira.map(deposit),
  // Less buys not one cent, and is no quote.
  naira.map((amount) => convertOnce('naira', amount + 1_000)),
  cents.map((amount) => convertOnce('dollars', amount)),
  cents.map(thereAndBack),
  naira.map((amount) => buyAbroad(amount + 5_000)),
  fc.array(naira, { minLength: 1, maxLength: 4 }).map(batch),
  cents.map(authorize),
  cents.map(authorize),
  fc.tuple(index, fc.oneof(fc.constant(0), cents, fc.integer({ min: 900, max: 4_000 }))).map((args) => clear(...args)),
  cents.map(load),
  fc.tuple(index, cents).map((args) => dispute(...args)),
];

describe('money in, out and across, against a model of itself', () => {
  let duka: Duka;
  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true });
  });
  // All that verify:ledger checks.
  afterAll(() => duka.stop(), 60_000 + RUNS * 100);

  async function begin(): Promise<{ model: Model; real: Real }> {
    const network = await CardNetwork.in(duka, 2_000, { warnAt: null, terminateAt: null });
    const { api } = network;
    const { funding_wallet_id: dollars } = (await api.get(`/v4/cards/${network.card}`)).body;
    const wallets = { naira: await api.wallet(500_000), spare: await api.wallet(), dollars };
    const { body } = await api.post('/v4/virtual-accounts', { wallet_id: wallets.naira, kind: 'permanent' });
    const purses = { naira: 500_000, spare: 0, dollars: await network.wallet() };
    const nothing = { held: 0, debt: 0, payments: [], payouts: [], authorized: [], cleared: [] };
    return { model: { ...purses, card: 2_000, ...nothing }, real: { network, wallets, number: body.id } };
  }

  it(
    'keeps the same balances through any sequence of movements, and the books balance per currency',
    async () => {
      const sequence = fc.commands([...commands, ...commands], { maxCommands: 40, size: '+1' });
      const property = fc.asyncProperty(sequence, async (list) => {
        const start = await begin();
        await fc.asyncModelRun(() => start, list);
        expect(await duka.get<DataSource>(DataSource).query(UNBALANCED)).toEqual([]);
      });
      const lane = () => fc.assert(property, { numRuns: Math.ceil(RUNS / LANES), endOnFailure: true });
      await Promise.all(Array.from({ length: LANES }, lane));
    },
    60_000 + RUNS * 5_000,
  );
});

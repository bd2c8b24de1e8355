import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Answer } from './support/contract';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const AT_ONCE = 50;

let duka: Duka;
let twin: Duka;

// Two processes of one deployment: what one process could order by itself proves nothing.
beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});
afterAll(async () => {
  await twin.app.close();
  await duka.stop();
});

const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

/** Counts of what came out. */
const tally = (words: string[]): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(words, (word) => word),
      ([word, all]) => [word, all.length],
    ),
  );

const verdicts = (answers: Answer[]): Record<string, number> =>
  tally(answers.map(({ body }) => body.decline_reason ?? body.status));
const codes = (answers: Answer[]): Record<string, number> =>
  tally(answers.map(({ status, body }) => body.code ?? String(status)));

/** The same card, by turns seen through either process. */
const sides = (network: CardNetwork): CardNetwork[] => [network, network.through(twin)];

describe('50 authorizations at once', () => {
  it('never go over the balance', async () => {
    const network = await CardNetwork.in(duka, 1_000, { terminateAt: 1_000 });
    const answers = await times(AT_ONCE, (i) => sides(network)[i % 2]!.simulate('authorization', { amount: 90 }));
    expect(verdicts(answers)).toEqual({ authorized: 11, insufficient_funds: 39 });
    expect(await network.balance()).toEqual([10, 990]);
    expect(await network.query('SELECT declines FROM cards WHERE id = $1', [network.cardId])).not.toEqual([
      { declines: 0 },
    ]);
  });

  it.each(['daily', 'weekly', 'monthly', 'all_time'])('never go over a limit, %s', async (interval) => {
    const network = await CardNetwork.in(duka, 100_000, { controls: { limits: [{ amount: 1_000, interval }] } });
    const answers = await times(AT_ONCE, (i) => sides(network)[i % 2]!.simulate('authorization', { amount: 90 }));
    expect(verdicts(answers)).toEqual({ authorized: 11, spending_limit: 39 });
    expect(await network.balance()).toEqual([99_010, 990]);
  });

  it('with one key are one', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const answers = await times(AT_ONCE, (i) =>
      sides(network)[i % 2]!.simulate('authorization', { amount: 90 }, 'once'),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await network.balance()).toEqual([910, 90]);
  });

  it('on many cards do not disturb each other', async () => {
    const networks = await times(10, () =>
      CardNetwork.in(duka, 1_000, { controls: { limits: [{ amount: 300, interval: 'daily' }] } }),
    );
    const answers = await times(AT_ONCE, (i) =>
      sides(networks[i % 10]!)[(i >> 1) % 2]!.simulate('authorization', { amount: 100 }),
    );
    expect(verdicts(answers)).toEqual({ authorized: 30, spending_limit: 20 });
  });
});

describe('a request that is sent twenty times at once', () => {
  it('ends a card once, and is answered alike each time', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const before = await network.wallet();
    const answers = await times(20, (i) =>
      sides(network)[i % 2]!.api.post(`/v4/cards/${network.card}/terminate`, undefined, { key: 'once' }),
    );
    expect(codes(answers)).toEqual({ 200: 20 });
    expect([
      await network.wallet(),
      (await network.eventsOf(network.card)).filter((type) => type === 'card.terminated'),
    ]).toEqual([before + 1_000, ['card.terminated']]);
  });

  it('clears an authorization once, whole, and is answered alike each time', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const { id } = await network.done('authorization', { amount: 500 });
    const answers = await times(20, (i) =>
      sides(network)[i % 2]!.simulate('clearing', { card_transaction_id: id }, 'once'),
    );
    expect(codes(answers)).toEqual({ 201: 20 });
    expect([await network.balance(), (await network.get(id)).settled_amount]).toEqual([[500, 0], 500]);
  });
});

describe('one authorization, ended at once in every way', () => {
  it.each([1, 2, 3])('has one end, and is cleared by each that names its amount (%i)', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const { id } = await network.done('authorization', { amount: 500 });
    await network.query(
      `UPDATE card_transactions SET next_check_at = now() - interval '1 day' WHERE id = (SELECT id FROM card_transactions WHERE card_id = $1)`,
      [network.cardId],
    );
    const [left, right] = sides(network) as [CardNetwork, CardNetwork];
    const [, ...answers] = await Promise.all([
      left.pass(1),
      left.step('clearing', id),
      right.step('void', id),
      right.step('clearing', id),
      left.step('void', id),
      right.step('clearing', id, 500),
    ]);
    const { status, settled_amount: settled } = await network.get(id);
    expect(['settled', 'voided', 'expired']).toContain(status);
    // The one that names its amount is paid, also when it comes too late for what was held.
    const paid = (answers as Answer[]).filter(({ status: code }) => code === 201);
    expect(paid.map(({ body }) => body.status)).toContain('settled');
    expect(codes(answers as Answer[])).toEqual({ 201: paid.length, invalid_state_transition: 5 - paid.length });
    expect([status, settled % 500]).toEqual(['settled', 0]);
    expect(await network.balance()).toEqual([1_000 - settled, 0]);
    const events = await network.eventsOf(id);
    expect(events.filter((type) => type.endsWith('.settled'))).toHaveLength(settled / 500);
    expect(settled / 500).toBeLessThanOrEqual(2);
  });
});

it('clearings and partial voids at once: each clearing is paid, and never more is released than was held', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const { id } = await network.done('authorization', { amount: 1_000 });
  const wallet = await network.wallet();
  const answers = await times(30, (i) => sides(network)[i % 2]!.step(i % 3 === 0 ? 'void' : 'clearing', id, 70));
  const clearings = answers.filter((_, i) => i % 3 !== 0);
  expect(codes(clearings)).toEqual({ 201: 20 });
  const { held_amount: held, settled_amount: settled, wallet_amount: paid } = await network.get(id);
  expect(settled).toBe(1_400);
  const [available, left] = await network.balance();
  expect([left, available + held, wallet - paid]).toEqual([held, 1_000 + paid - settled, await network.wallet()]);
});

describe('a card that is overdrawn by two processes at once', () => {
  /** What the account owes by the ledger, and by its card. */
  const debts = async (network: CardNetwork): Promise<[number, number]> => {
    const [row] = await network.query(
      `SELECT c.debt, coalesce((SELECT -available FROM ledger_accounts WHERE name = 'card_debts:' || c.account_id), 0)
          AS owed FROM cards c WHERE c.id = $1`,
      [network.cardId],
    );
    return [Number(row.debt), Number(row.owed)];
  };

  it.each([1, 2, 3])('clearings, loads, withdrawals and refunds leave what their sums say (%i)', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const { id } = await network.done('authorization', { amount: 200 });
    const money = (await network.balance()).reduce((sum, part) => sum + part) + (await network.wallet());
    const deeds: ((side: CardNetwork) => Promise<Answer>)[] = [
      (side) => side.simulate('clearing', { amount: 190 }),
      (side) => side.step('clearing', id, 130),
      (side) => side.api.post(`/v4/cards/${network.card}/fund`, { amount: 90 }, { key: randomUUID() }),
      (side) => side.api.post(`/v4/cards/${network.card}/withdraw`, { amount: 70 }, { key: randomUUID() }),
      (side) => side.step('refund', id, 40),
      (side) => side.step('void', id, 10),
    ];
    const answers = await times(60, (i) => deeds[i % deeds.length]!(sides(network)[(i >> 1) % 2]!));
    const of = (deed: number) => answers.filter((_, i) => i % deeds.length === deed);
    expect([codes(of(0)), codes(of(1))]).toEqual([{ 201: 10 }, { 201: 10 }]);
    const refunded = 40 * of(4).filter(({ status }) => status === 201).length;
    const [[debt, owed], [available, held]] = [await debts(network), await network.balance()];
    expect(debt).toBe(owed);
    expect(Math.min(debt, available)).toBe(0);
    expect(available + held + (await network.wallet())).toBe(money - 1_900 - 1_300 + refunded + debt);
    expect((await network.api.get(`/v4/cards/${network.card}`)).body.status).toBe('frozen');
  });

  it('one message of a clearing, sent twenty times, is one debt', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const answers = await times(20, (i) => sides(network)[i % 2]!.simulate('clearing', { amount: 5_000 }, 'once'));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const [debt, owed] = await debts(network);
    expect([debt, owed, await network.wallet()]).toEqual([5_000 - 1_000 - answers[0]!.body.wallet_amount, debt, 0]);
  });

  it('ten loads at once pay a debt once', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    await network.done('clearing', { amount: 5_000 });
    const [before] = await debts(network);
    const { funding_wallet_id: wallet } = (await network.api.get(`/v4/cards/${network.card}`)).body;
    await network.api.credit(wallet, 100_000);
    const load = { amount: 1_000 };
    const answers = await times(10, (i) =>
      sides(network)[i % 2]!.api.post(`/v4/cards/${network.card}/fund`, load, { key: randomUUID() }),
    );
    // Once it owes nothing it is a frozen card like any other.
    const loads = answers.filter(({ status }) => status === 201);
    expect(loads.length).toBeGreaterThanOrEqual(Math.ceil(before! / 1_000));
    expect(codes(answers)).toEqual({ 201: loads.length, card_not_active: 10 - loads.length });
    const paid = loads.map(({ body }) => body.details.debt_paid ?? 0);
    expect([paid.reduce((sum, one) => sum + one), await debts(network)]).toEqual([before, [0, 0]]);
    expect(await network.balance()).toEqual([loads.length * 1_000 - before!, 0]);
  });
});

it('refunds at once never bring back more than was cleared', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const { id } = await network.done('authorization', { amount: 1_000 });
  await network.step('clearing', id, 500);
  const answers = await times(30, (i) => sides(network)[i % 2]!.step('refund', id, 70));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(await network.get(id)).toMatchObject({ status: 'settled', refunded_amount: 490 });
  expect(await network.balance()).toEqual([490, 500]);
});

it('a card that is changed before its balance is read is shown as it is then', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const path = `/v4/cards/${network.card}`;
  const changer = new Client({ connectionString: duka.env.DATABASE_URL });
  await changer.connect();
  try {
    await changer.query('BEGIN');
    await changer.query('LOCK TABLE ledger_accounts IN ACCESS EXCLUSIVE MODE');
    const reads = [network.api.get(path), network.api.get('/v4/cards')];
    await until(async () => (await duka.waiting('FROM cards c')) === reads.length);
    await changer.query(`UPDATE cards SET label = 'Later', version = version + 1 WHERE id = $1`, [network.cardId]);
    await changer.query('COMMIT');
    const [one, list] = await Promise.all(reads);
    const now = (await network.api.get(path)).body;
    expect(now).toMatchObject({ label: 'Later', balance: { available: 1_000 } });
    expect([one!.body, list!.body.data]).toEqual([now, [now]]);
  } finally {
    await changer.end();
  }
});

it('a freeze tells of the balance that a fee under way leaves', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const stopper = new Client({ connectionString: duka.env.DATABASE_URL });
  await stopper.connect();
  try {
    await stopper.query('BEGIN');
    await stopper.query('LOCK TABLE card_transactions IN SHARE MODE');
    const fee = network.simulate('fee', { amount: 100 });
    await until(async () => (await duka.waiting('card_transactions')) === 1);
    let isFrozen = false;
    const freeze = network.api.post(`/v4/cards/${network.card}/freeze`, {}).finally(() => (isFrozen = true));
    await until(async () => isFrozen || (await duka.waiting()) === 2);
    await stopper.query('COMMIT');
    expect((await fee).status).toBe(201);
    const card = (await freeze).body;
    expect(card).toMatchObject({ status: 'frozen', balance: { available: 900 } });
    const events = await network.api.all('/v4/events?type=card.frozen');
    expect(events.map(({ data }) => data.object)).toMatchObject([{ balance: card.balance }]);
  } finally {
    await stopper.end();
  }
});

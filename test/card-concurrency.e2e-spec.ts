import type { Answer } from './support/contract';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

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
  it.each([1, 2, 3])('has one end (%i)', async () => {
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
    expect(codes(answers as Answer[])).toEqual(
      status === 'expired' ? { invalid_state_transition: 5 } : { 201: 1, invalid_state_transition: 4 },
    );
    expect(settled).toBe(status === 'settled' ? 500 : 0);
    expect(await network.balance()).toEqual([1_000 - settled, 0]);
    expect(await network.eventsOf(id)).toEqual(['card.transaction.authorized', `card.transaction.${status}`]);
  });
});

it('clearings and partial voids at once never take more than was held', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const { id } = await network.done('authorization', { amount: 1_000 });
  const answers = await times(30, (i) => sides(network)[i % 2]!.step(i % 3 === 0 ? 'void' : 'clearing', id, 70));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(14);
  const { held_amount: held, settled_amount: settled } = await network.get(id);
  expect(held).toBe(20);
  expect(await network.balance()).toEqual([1_000 - settled - held, held]);
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

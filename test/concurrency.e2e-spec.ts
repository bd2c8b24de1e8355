import { randomUUID } from 'node:crypto';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';

const statuses = (answers: readonly Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

// Two API processes' worth of ledgers on one database: what one process serialises by itself, the tables must too.
describe('concurrent money movements', () => {
  let duka: Duka;
  let second: Duka;
  let shop: TestAccount;

  beforeAll(async () => {
    duka = await Duka.start();
    second = await duka.twin();
    shop = await duka.account();
  });
  afterAll(async () => {
    await second.stop();
    await duka.stop();
  });

  const sides = () => [shop.api, second.api(shop.key)] as const;
  const pay = (i: number, [from, to]: readonly [string, string], amount: number, key: string = randomUUID()) =>
    sides()[i % 2]!.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount }, { key });

  it('drains a wallet by 200 clients: never below zero, and what was accepted is what left', async () => {
    const [from, ...to] = await Promise.all([
      shop.api.wallet(10_000),
      ...Array.from({ length: 5 }, () => shop.api.wallet()),
    ]);
    const amounts = Array.from({ length: 600 }, (_, i) => 1 + ((i * 37) % 90));
    const clients = Array.from({ length: 200 }, async (_, c) => {
      const answers: Answer[] = [];
      for (let i = c; i < amounts.length; i += 200) answers.push(await pay(i, [from!, to[i % 5]!], amounts[i]!));
      return answers;
    });
    const answers = (await Promise.all(clients)).flat();
    const accepted = answers.filter(({ status }) => status === 201).reduce((sum, { body }) => sum + body.amount, 0);
    expect(Object.keys(statuses(answers)).sort()).toEqual(['201', '402']);
    const balances = await Promise.all(to.map((id) => shop.api.balance(id)));
    expect(balances.reduce((sum, { available }) => sum + available, 0)).toBe(accepted);
    expect(await shop.api.balance(from!)).toMatchObject({
      available: 10_000 - accepted,
      held: 0,
      ledger: 10_000 - accepted,
    });
    expect(10_000 - accepted).toBeLessThan(90);
  });

  it('pays A to B and B to A at once without a deadlock that a client sees', async () => {
    const [a, b] = [await shop.api.wallet(5_000), await shop.api.wallet(5_000)];
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => ((i >> 1) % 2 ? pay(i, [a, b], 7) : pay(i, [b, a], 7))),
    );
    expect(statuses(answers)).toEqual({ 201: 400 });
    expect(await shop.api.balance(a)).toMatchObject({ available: 5_000 });
  });

  it('does once what 100 requests with one key ask for at once', async () => {
    const [a, b] = [await shop.api.wallet(1_000), await shop.api.wallet()];
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => pay(i, [a, b], 10, 'once')));
    expect(statuses(answers)).toEqual({ 201: 100 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await shop.api.balance(b)).toMatchObject({ available: 10 });
  });

  it('gives a key to one of two different requests that want it at once', async () => {
    const wallets = await Promise.all(Array.from({ length: 20 }, () => shop.api.wallet(100)));
    const sink = await shop.api.wallet();
    const answers = await Promise.all(wallets.map((from, i) => pay(i, [from, sink], 10, 'contended')));
    expect(statuses(answers)).toEqual({ 201: 1, 422: 19 });
    expect(await shop.api.balance(sink)).toMatchObject({ available: 10 });
  });

  it('makes one wallet for 50 requests with one reference', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        sides()[i % 2]!.post('/v4/wallets', { currency: 'GHS', reference: 'till-1' }),
      ),
    );
    expect(statuses(answers)).toEqual({ 200: 49, 201: 1 });
    expect((await shop.api.get('/v4/wallets?currency=GHS')).body.data).toHaveLength(1);
  });

  it('does not lose a freeze between two payments', async () => {
    const [a, b] = [await shop.api.wallet(1_000), await shop.api.wallet()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i === 50 ? shop.api.post(`/v4/wallets/${a}/freeze`) : pay(i, [a, b], 1))),
    );
    expect(Object.keys(statuses(answers)).every((status) => ['200', '201', '409'].includes(status))).toBe(true);
    expect((await pay(0, [a, b], 1)).body.code).toBe('wallet_frozen');
  });
});

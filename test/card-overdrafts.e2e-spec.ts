import { randomUUID } from 'node:crypto';
import table from '../src/modules/cards/sandbox/clearings.json';
import { type IssuerMessage, IssuerMessages } from '../src/modules/cards/issuer-messages';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

let duka: Duka;
let network: CardNetwork;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  // 10.00 on the card, 9.00 in its wallet once the issue is paid.
  network = await CardNetwork.in(duka, 1_000);
});

const authorize = (amount: number): Promise<any> => network.done('authorization', { amount });
const card = async (): Promise<any> => (await network.api.get(`/v4/cards/${network.card}`)).body;
const fund = (amount: number, more: object = {}) =>
  network.api.post(`/v4/cards/${network.card}/fund`, { amount, ...more });
const act = (verb: string) => network.api.post(`/v4/cards/${network.card}/${verb}`);

/** What a card transaction was settled from. */
const shares = (t: any) => [t.status, t.settled_amount, t.wallet_amount, t.debt_amount];

/** What the account owes by the ledger, below zero. */
const debts = async (): Promise<number> => {
  const [row] = await network.query(`SELECT available FROM ledger_accounts WHERE name = 'card_debts:' || $1`, [
    network.owner.accountId,
  ]);
  return row === undefined ? 0 : Number(row.available);
};

/** Leaves the wallet with so much. */
async function drain(left: number): Promise<void> {
  const spare = await network.api.wallet(1, 'USD');
  const { funding_wallet_id: from } = await card();
  const amount = (await network.wallet()) - left;
  await network.api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: spare, amount });
}

it.each(table)('the scenario $name ends as the table says', async ({ name, ...row }) => {
  const { clearings } = (await network.api.get('/v4/sandbox/scenarios')).body;
  expect(clearings).toContainEqual({ name, ...row });
  const [before, issued] = [await network.wallet(), await network.issued()];
  expect([await network.balance(), before]).toEqual([[1_000, 0], 900]);
  const asked = row.authorization === null ? null : (await authorize(row.authorization)).id;
  if (row.days > 0) await network.pass(row.days * 86_400);
  const { body } = await network.simulate('clearing', {
    amount: row.clearing,
    ...(asked && { card_transaction_id: asked }),
  });
  const { card_status, ...final } = row.final;
  expect(body).toMatchObject({ ...final, settled_amount: row.clearing });
  const { status, debt } = await card();
  expect([status, debt, 0 - (await debts())]).toEqual([card_status, final.debt_amount, final.debt_amount]);
  const spent = row.clearing - final.wallet_amount - final.debt_amount;
  expect(await network.balance()).toEqual([1_000 - spent - final.held_amount, final.held_amount]);
  expect([await network.wallet(), await network.issued()]).toEqual([
    before - final.wallet_amount,
    issued + row.clearing,
  ]);
  expect(await network.eventsOf(body.id)).toContain('card.transaction.settled');
});

describe('a clearing of more than is held', () => {
  it('is paid by the card, as long as it can', async () => {
    const { id } = await authorize(400);
    const before = await network.issued();
    const { body } = await network.step('clearing', id, 900);
    expect(shares(body)).toEqual(['settled', 900, 0, 0]);
    expect([await network.balance(), await network.issued()]).toEqual([[100, 0], before + 900]);
    expect(await card()).toMatchObject({ status: 'active', debt: 0 });
  });

  it('is paid by the wallet that funds the card for what it lacks, which is a load', async () => {
    const { id } = await authorize(400);
    const wallet = await network.wallet();
    const { body } = await network.step('clearing', id, 1_300);
    expect(shares(body)).toEqual(['settled', 1_300, 300, 0]);
    expect([await network.balance(), await network.wallet()]).toEqual([[0, 0], wallet - 300]);
    expect(await card()).toMatchObject({ status: 'active', debt: 0 });
    const [load] = (await network.api.get('/v4/transactions?type=card_funding')).body.data;
    expect(load).toMatchObject({
      status: 'successful',
      amount: 300,
      fee: 0,
      balance_after: wallet - 300,
      details: { card_id: network.card, card_transaction_id: id },
    });
    expect(await network.eventsOf(load.id)).toEqual(['transaction.successful']);
    expect(await network.eventsOf(network.card)).toEqual(['card.issued', 'card.funded']);
  });

  it('is a debt for what nobody has, and freezes the card', async () => {
    const { id } = await authorize(400);
    const wallet = await network.wallet();
    const { body } = await network.step('clearing', id, 2_500);
    const owed = 1_500 - wallet;
    expect(shares(body)).toEqual(['settled', 2_500, wallet, owed]);
    expect([await network.balance(), await network.wallet(), await debts()]).toEqual([[0, 0], 0, -owed]);
    const now = await card();
    expect(now).toMatchObject({ status: 'frozen', status_reason: 'overdrawn', debt: owed });
    const events = (await network.api.get('/v4/events?type=card.overdrawn')).body.data;
    expect(events.map(({ data }: any) => data.object)).toEqual([
      { ...now, previous_status: 'active', card_transaction_id: id, updated_at: expect.any(String) },
    ]);
    const [last] = (await network.api.get(`/v4/cards/${network.card}/transitions`)).body.data;
    expect(last).toMatchObject({ from: 'active', to: 'frozen', actor: 'policy', reason: 'overdrawn' });
    expect((await network.simulate('authorization', { amount: 1 })).body.decline_reason).toBe('card_frozen');
  });

  it('takes nothing from a wallet that is frozen, or closed', async () => {
    const wallet = (await card()).funding_wallet_id;
    const money = await network.wallet();
    await network.api.post(`/v4/wallets/${wallet}/freeze`);
    expect(shares((await network.step('clearing', (await authorize(100)).id, 1_100)).body)).toEqual([
      'settled',
      1_100,
      0,
      100,
    ]);
    expect([await network.wallet(), await debts()]).toEqual([money, -100]);
    await network.api.post(`/v4/wallets/${wallet}/unfreeze`);
    await drain(0);
    expect((await network.api.post(`/v4/wallets/${wallet}/close`)).status).toBe(200);
    expect(shares(await network.done('clearing', { amount: 50 }))).toEqual(['settled', 50, 0, 50]);
    expect([(await card()).debt, await debts()]).toEqual([150, -150]);
  });
});

describe('a clearing that comes late', () => {
  it.each([
    ['voided', (id: string) => network.step('void', id)],
    ['expired', () => network.pass(7 * 24 * 3_600 + 60)],
    ['refunded', async (id: string) => (await network.step('clearing', id), network.step('refund', id))],
  ])('settles what was %s', async (status, end) => {
    const { id } = await authorize(400);
    await end(id);
    expect((await network.get(id)).status).toBe(status);
    const before = (await network.get(id)).settled_amount;
    const { body } = await network.step('clearing', id, 450);
    expect([body.status, body.settled_amount, body.held_amount]).toEqual(['settled', before + 450, 0]);
    expect(await network.balance()).toEqual([550, 0]);
    expect((await network.step('refund', id)).body.status).toBe('refunded');
    expect(await network.balance()).toEqual([1_000, 0]);
  });

  it('settles what was declined, and what was declined stays said', async () => {
    const { id } = await network.done('authorization', { amount: 1_001 });
    const { body } = await network.step('clearing', id, 1_001);
    expect([...shares(body), body.decline_reason, body.held_amount, body.authorized_at]).toEqual([
      'settled',
      1_001,
      1,
      0,
      'insufficient_funds',
      0,
      null,
    ]);
    expect((await network.step('clearing', id)).status).toBe(409);
  });

  it('of a card that was put away is a debt that can still be paid, and no more', async () => {
    const { id } = await authorize(400);
    await network.step('clearing', id);
    expect((await act('terminate')).status).toBe(200);
    await network.pass(20);
    await drain(0);
    expect((await network.step('clearing', id, 70)).body.debt_amount).toBe(70);
    expect(await card()).toMatchObject({ status: 'terminated', debt: 70 });
    const wallet = (await card()).funding_wallet_id;
    await network.api.credit(wallet, 500);
    await network.pass(4_000);
    expect(await fund(71)).toMatchObject({ status: 409, body: { code: 'card_not_active' } });
    expect((await fund(70)).status).toBe(201);
    await network.pass(4_000);
    expect([await card(), await debts(), await network.wallet()]).toMatchObject([{ debt: 0 }, 0, 430]);
    expect(await network.query('SELECT status FROM ledger_accounts WHERE id = $1', [network.cardId])).toEqual([
      { status: 'closed' },
    ]);
  });
});

describe('a clearing of nothing that was asked for', () => {
  it('is a card transaction of its own, with steps', async () => {
    const made = await network.done('clearing', {
      amount: 300,
      merchant: { name: 'Tram', mcc: '4111', country: 'NG' },
    });
    expect(made).toMatchObject({
      type: 'clearing',
      status: 'settled',
      amount: 300,
      held_amount: 0,
      settled_amount: 300,
      merchant: { name: 'Tram' },
      authorized_at: null,
      expires_at: null,
    });
    expect((await network.step('clearing', made.id, 50)).body).toMatchObject({
      status: 'settled',
      settled_amount: 350,
    });
    expect((await network.step('void', made.id)).status).toBe(409);
    expect((await network.step('refund', made.id)).body.status).toBe('refunded');
    expect(await network.balance()).toEqual([1_000, 0]);
    expect(await network.eventsOf(made.id)).toEqual(
      ['settled', 'settled', 'refunded'].map((one) => `card.transaction.${one}`),
    );
    expect((await network.list('&type=clearing')).map(({ id }) => id)).toEqual([made.id]);
  });

  it('counts towards limits', async () => {
    const limited = await CardNetwork.in(duka, 1_000, { controls: { limits: [{ amount: 500, interval: 'daily' }] } });
    const { id } = await limited.done('authorization', { amount: 100 });
    await limited.step('clearing', id, 150);
    await limited.done('clearing', { amount: 300 });
    const asked = async (amount: number) => (await limited.simulate('authorization', { amount })).body.decline_reason;
    expect([await asked(51), await asked(50)]).toEqual(['spending_limit', null]);
  });

  it('is refused on a card that was not issued, and beyond what a number can say', async () => {
    const { body: pending } = await network.api.post('/v4/cards/issue', {
      ...network.order,
      customer: { ...(network.order as any).customer, last_name: 'REVIEW' },
      amount: 1,
      funding_wallet_id: (await card()).funding_wallet_id,
    });
    const charge = { kind: 'clearing', amount: 5 };
    const { status, body } = await network.api.post(`/v4/sandbox/cards/${pending.id}/simulate`, charge);
    expect([status, body.code]).toEqual([409, 'card_not_active']);
    expect((await network.simulate('clearing', { amount: 10 ** 12 + 1 })).body.code).toBe('amount_out_of_range');
    const huge = { ...message('clearing'), amount: BigInt(Number.MAX_SAFE_INTEGER) };
    await take(message('clearing', { amount: 2_000n }));
    await expect(take(huge)).rejects.toMatchObject({ details: { code: 'limit_exceeded' } });
  });
});

describe('a refund of nothing that is known', () => {
  const merchant = { name: 'Airline', mcc: '4511', country: 'NG' };

  it('is a card transaction of its own, and nothing can be done with it', async () => {
    const issued = await network.issued();
    const made = await network.done('refund', { amount: 300, merchant });
    expect(made).toMatchObject({
      type: 'refund',
      status: 'settled',
      amount: 300,
      held_amount: 0,
      original_id: null,
      merchant,
      authorized_at: null,
    });
    expect([await network.balance(), await network.issued()]).toEqual([[1_300, 0], issued - 300]);
    for (const kind of ['clearing', 'void', 'refund'])
      expect((await network.step(kind, made.id, 1)).body.code).toBe('invalid_state_transition');
    const [event] = (await network.api.get('/v4/events?type=card.transaction.refunded')).body.data;
    expect(event.data.object).toMatchObject({ id: made.id, moved_amount: 300, refund_id: made.id });
    const { body } = await network.simulate('refund', {});
    expect([body.code, body.errors]).toEqual(['validation_failed', [expect.objectContaining({ param: '/amount' })]]);
  });

  it('is taken once for its message', async () => {
    const first = message('refund', { merchant });
    const made = await Promise.all([first, first, first].map(take));
    expect(new Set(made.map(({ made: { id } }) => id)).size).toBe(1);
    await expect(take({ ...first, amount: 101n })).rejects.toMatchObject({ details: { code: 'duplicate_reference' } });
    await take(message('refund', { merchant }));
    expect([await network.balance(), (await network.list('&type=refund')).length]).toEqual([[1_200, 0], 2]);
  });

  it('pays the debt of the card, also from many sides at once', async () => {
    await drain(0);
    await network.done('clearing', { amount: 1_700 });
    await Promise.all(Array.from({ length: 9 }, () => take(message('refund'))));
    const paid = (await network.list('&type=refund')).map(({ debt_paid_amount: debt }) => debt);
    expect(paid.toSorted((a: number, b: number) => a - b)).toEqual([0, 0, ...Array(7).fill(100)]);
    expect([await network.balance(), (await card()).debt, await debts()]).toEqual([[200, 0], 0, 0]);
  });

  it('of a card that was put away goes on to its wallet', async () => {
    await act('terminate');
    const before = await network.wallet();
    await take(message('refund', { amount: 40n }));
    await network.pass(60);
    expect([await network.balance(), await network.wallet()]).toEqual([[0, 0], before + 40]);
  });
});

describe('a debt', () => {
  beforeEach(async () => {
    await drain(0);
    await network.done('clearing', { amount: 1_700 });
    await network.api.credit((await card()).funding_wallet_id, 10_000);
  });

  it('is paid first by the next load, by its lines in a dry run as well', async () => {
    const dry = await fund(1_000, { dry_run: true });
    expect(dry.body.details.debt_paid).toBe(700);
    expect(
      dry.body.ledger.map(({ amount, card_id, wallet_id }: any) => [amount, card_id !== null, wallet_id !== null]),
    ).toEqual([
      [-1_000, false, true],
      [1_000, true, false],
      [-700, true, false],
      [700, false, false],
    ]);
    const { status, body } = await fund(1_000);
    expect([status, body.amount, body.details.debt_paid]).toEqual([201, 1_000, 700]);
    expect([await network.balance(), await debts()]).toEqual([[300, 0], 0]);
    expect(await card()).toMatchObject({ status: 'frozen', debt: 0 });
    expect((await act('unfreeze')).body.status).toBe('active');
  });

  it('is paid in parts, each once', async () => {
    const load = () => network.api.post(`/v4/cards/${network.card}/fund`, { amount: 300 }, { key: 'part' });
    expect([(await load()).body, (await load()).body]).toMatchObject([
      { details: { debt_paid: 300 } },
      { details: { debt_paid: 300 } },
    ]);
    const now = await card();
    expect([now.debt, now.balance.available, await debts()]).toEqual([400, 0, -400]);
    const [event] = (await network.api.get('/v4/events?type=card.funded')).body.data;
    expect([event.data.object.debt, event.data.object.version]).toEqual([400, now.version]);
    expect((await network.api.get('/v4/cards?overdrawn=true')).body.data.map(({ id }: any) => id)).toEqual([
      network.card,
    ]);
    expect((await network.api.get('/v4/cards?overdrawn=false')).body.data).toEqual([]);
  });

  it('stands in the way of the card, and of its end', async () => {
    for (const verb of ['unfreeze', 'terminate'])
      expect(await act(verb)).toMatchObject({ status: 409, body: { code: 'card_overdrawn' } });
    const { status, body } = await network.api.post(`/v4/cards/${network.card}/withdraw`, { amount: 1 });
    expect([status, body.code]).toEqual([402, 'insufficient_funds']);
  });

  it('is paid by what comes back, too', async () => {
    const [{ id }] = await network.list();
    expect((await network.step('refund', id, 1_000)).body.debt_paid_amount).toBe(0);
    expect([await network.balance(), (await card()).debt, await debts()]).toEqual([[300, 0], 0, 0]);
    const [refund] = await network.list('&type=refund');
    expect(refund).toMatchObject({ amount: 1_000, debt_paid_amount: 700 });
  });
});

it('what is released by a card in debt pays the debt', async () => {
  const [{ id: voided }, { id: expires }] = [await authorize(400), await authorize(300)];
  await drain(0);
  await network.done('clearing', { amount: 900 });
  expect([await network.balance(), (await card()).debt]).toEqual([[0, 700], 600]);
  expect((await network.step('void', voided)).body.debt_paid_amount).toBe(400);
  expect([await network.balance(), (await card()).debt]).toEqual([[0, 300], 200]);
  await network.pass(7 * 24 * 3_600 + 60);
  expect((await network.get(expires)).debt_paid_amount).toBe(200);
  expect([await network.balance(), (await card()).debt, await debts()]).toEqual([[100, 0], 0, 0]);
});

const message = (kind: IssuerMessage['kind'], more: Partial<IssuerMessage> = {}): IssuerMessage => ({
  issuer: 'sandbox',
  id: randomUUID(),
  cardId: network.cardId,
  kind,
  amount: 100n,
  merchant: null,
  authorization: null,
  declineReason: null,
  ...more,
});
const take = (one: IssuerMessage) => duka.get<IssuerMessages>(IssuerMessages).take(one);

describe('the messages of an issuer', () => {
  it('clear an authorization that nobody told of, once each', async () => {
    const first = message('clearing', { authorization: 'auth-9', amount: 250n });
    const { made } = await take(first);
    expect((await take(first)).replayedBy).toBe('reference');
    await expect(take({ ...first, amount: 251n })).rejects.toMatchObject({ details: { code: 'duplicate_reference' } });
    const { made: more } = await take(message('clearing', { authorization: 'auth-9', amount: 50n }));
    expect([more.id, more.cleared, more.over]).toEqual([made.id, 300n, 50n]);
    await expect(
      take(message('authorization', { authorization: 'auth-9', merchant: { name: 'x', mcc: '5411', country: 'NG' } })),
    ).rejects.toMatchObject({ details: { code: 'duplicate_reference' } });
    expect((await take(message('refund', { authorization: 'auth-9', amount: null }))).made.status).toBe('refunded');
    expect(await network.balance()).toEqual([1_000, 0]);
  });

  it('at once, about one authorization that nobody told of, all settle on it', async () => {
    const all = Array.from({ length: 10 }, () => message('clearing', { authorization: 'auth-7', amount: 10n }));
    const made = await Promise.all(all.concat(all).map(take));
    expect(new Set(made.map(({ made: { id } }) => id)).size).toBe(1);
    expect((await network.list()).map(({ settled_amount: settled }) => settled)).toEqual([100]);
    expect(await network.balance()).toEqual([900, 0]);
  });

  it('name nothing, and settle each', async () => {
    await take(message('clearing'));
    await take(message('clearing'));
    expect(await network.balance()).toEqual([800, 0]);
    await expect(take(message('refund', { authorization: 'auth-8' }))).rejects.toMatchObject({
      details: { code: 'not_found' },
    });
  });
});

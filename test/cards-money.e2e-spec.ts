import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { jest } from '@jest/globals';
import { Extensions, FREE } from '../src/core/extension/extensions';
import { CardsService } from '../src/modules/cards/cards.service';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';

const { MONEY, FEE } = CardOwner;
const LOAD = 5_000;
const LEFT = MONEY - LOAD - FEE;

let duka: Duka;
let owner: CardOwner;
let id: string;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
  ({ id } = await owner.card());
});

const fund = (amount: number, more: object = {}, key: string = randomUUID()) =>
  owner.act(id, 'fund', { amount, ...more }, key);
const withdraw = (amount: number, more: object = {}, key: string = randomUUID()) =>
  owner.act(id, 'withdraw', { amount, ...more }, key);

it('is loaded from the wallet', async () => {
  const { status, body } = await fund(2_000, { metadata: { a: 'b' } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    type: 'card_funding',
    direction: 'debit',
    status: 'successful',
    amount: 2_000,
    fee: 0,
    total: 2_000,
    wallet_id: owner.wallet,
    recipient: id,
    details: { card_id: id },
    balance_before: LEFT,
    balance_after: LEFT - 2_000,
    metadata: { a: 'b' },
  });
  expect(await owner.money(id)).toEqual({ wallet: [LEFT - 2_000, 0], card: [LOAD + 2_000, 0] });
  expect(await owner.events(id)).toEqual(['card.issued', 'card.funded']);
  const [event] = (await owner.api.get('/v4/events?type=card.funded')).body.data;
  expect(event.data.object).toMatchObject({
    id,
    status: 'active',
    balance: { available: LOAD + 2_000 },
    transaction_id: body.id,
  });
  const { data } = (await owner.api.get(`/v4/transactions/${body.id}/timeline`)).body;
  expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['transaction.created', 'ledger.entry', 'event', 'transaction.completed']),
  );
});

it('gives money back to the wallet', async () => {
  const { status, body } = await withdraw(2_000);
  expect([status, body.type, body.direction, body.total]).toEqual([201, 'card_withdrawal', 'credit', 2_000]);
  expect(await owner.money(id)).toEqual({ wallet: [LEFT + 2_000, 0], card: [LOAD - 2_000, 0] });
  expect(await owner.events(id)).toEqual(['card.issued', 'card.withdrawn']);
});

it('never gives more than it has, nor takes more than the wallet has', async () => {
  const short = await withdraw(LOAD + 1);
  expect([short.status, short.body.code, short.body.detail]).toEqual([
    402,
    'insufficient_funds',
    `${id} has ${LOAD} available; this needs ${LOAD + 1}.`,
  ]);
  const poor = await fund(LEFT + 1);
  expect([poor.status, poor.body.code, poor.body.param]).toEqual([402, 'insufficient_funds', '/wallet_id']);
  expect(await owner.money(id)).toEqual({ wallet: [LEFT, 0], card: [LOAD, 0] });
});

it('moves once for a key and once for a reference', async () => {
  const first = await fund(100, { reference: 'load-1' }, 'k');
  const byKey = await fund(100, { reference: 'load-1' }, 'k');
  const byReference = await fund(100, { reference: 'load-1' });
  expect(
    [byKey, byReference].map(({ status, headers, body }) => [status, headers.get('idempotent-replayed'), body.id]),
  ).toEqual([
    [201, 'true', first.body.id],
    [200, 'true', first.body.id],
  ]);
  expect((await fund(200, { reference: 'load-1' })).body.code).toBe('duplicate_reference');
  expect((await withdraw(100, {}, 'k')).body.code).toBe('idempotency_key_reused');
  const twins = await Promise.all(Array.from({ length: 10 }, () => withdraw(50, {}, 'twins')));
  expect(new Set(twins.map(({ body }) => body.id)).size).toBe(1);
  expect(await owner.money(id)).toEqual({ wallet: [LEFT - 100 + 50, 0], card: [LOAD + 100 - 50, 0] });
  await owner.act(id, 'freeze');
  expect((await fund(100, { reference: 'load-1' }, 'k')).body.id).toBe(first.body.id);
});

it('is moved by two hundred at once, each once', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? fund(30) : withdraw(20))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await owner.money(id)).toEqual({ wallet: [LEFT - 1_000, 0], card: [LOAD + 1_000, 0] });
});

it('is not loaded when it is frozen between the look and the posting; a withdrawal may go on', async () => {
  const extensions = duka.get<Extensions>(Extensions);
  for (const [action, code] of [
    ['fund', 'card_not_active'],
    ['withdraw', undefined],
  ] as const) {
    ({ id } = await owner.card());
    const before = await owner.money(id);
    jest.spyOn(extensions, 'gate').mockImplementationOnce(async () => (await owner.act(id, 'freeze'), FREE));
    const { body } = await owner.act(id, action, { amount: 100 });
    expect([action, body.code]).toEqual([action, code]);
    const isUntouched = isDeepStrictEqual(await owner.money(id), before);
    expect([action, isUntouched]).toEqual([action, code !== undefined]);
  }
});

it('is terminated with what is on it then, also when money left it after it was looked at', async () => {
  const cards = duka.get<CardsService>(CardsService);
  const require = cards.require.bind(cards);
  let looks = 0;
  jest.spyOn(cards, 'require').mockImplementation(async (...asked) => {
    const card = await require(...asked);
    // The second look is that of the termination: the first finds the caller's card.
    if (++looks === 2) await withdraw(1_000);
    return card;
  });
  const { status, body } = await owner.act(id, 'terminate');
  jest.restoreAllMocks();
  expect([status, body.status]).toEqual([200, 'terminated']);
  expect(await owner.money(id)).toEqual({ wallet: [MONEY - FEE, 0], card: [0, 0] });
});

it('is not loaded behind a freeze or a termination, however close they come', async () => {
  const [ended, ...loads] = await Promise.all([
    owner.act(id, 'terminate'),
    ...Array.from({ length: 20 }, () => fund(10)),
  ]);
  expect(ended!.status).toBe(200);
  for (const load of loads) expect([201, 409]).toContain(load!.status);
  await owner.advance(1);
  await owner.advance(1);
  await owner.advance(3_700);
  expect(await owner.money(id)).toEqual({ wallet: [MONEY - FEE, 0], card: [0, 0] });
});

it('is only tried in a dry run', async () => {
  const before = await duka.totals();
  const { status, body } = await withdraw(1_000, { dry_run: true });
  expect([status, body.id, body.type]).toEqual([200, null, 'card_withdrawal']);
  expect(body.ledger).toEqual([
    { wallet_id: owner.wallet, card_id: null, bucket: 'available', amount: 1_000, balance_after: LEFT + 1_000 },
    { wallet_id: null, card_id: id, bucket: 'available', amount: -1_000, balance_after: LOAD - 1_000 },
  ]);
  expect(await duka.totals()).toEqual(before);
});

it('takes another wallet of the account in dollars, and nobody else’s', async () => {
  const second = await owner.api.wallet(500, 'USD');
  expect((await fund(500, { wallet_id: second })).status).toBe(201);
  expect((await withdraw(200, { wallet_id: second })).status).toBe(201);
  expect(await owner.api.balance(second)).toMatchObject({ available: 200 });
  const stranger = await CardOwner.of(duka);
  for (const wallet of [stranger.wallet, 'wal_x']) {
    for (const move of [fund, withdraw])
      expect((await move(1, { wallet_id: wallet })).body).toMatchObject({ status: 404, param: '/wallet_id' });
  }
  const naira = await owner.api.wallet(1_000);
  expect((await fund(1, { wallet_id: naira })).body).toMatchObject({ status: 422, code: 'currency_mismatch' });
});

it('is emptied with the wallets by a reset of the sandbox', async () => {
  await owner.act(id, 'freeze');
  const { body } = await owner.api.post('/v4/sandbox/reset');
  expect(body.returned).toEqual([
    expect.objectContaining({ wallet_id: owner.wallet, amount: MONEY - FEE, currency: 'USD' }),
  ]);
  expect(await owner.money(id)).toEqual({ wallet: [0, 0], card: [0, 0] });
  expect((await owner.api.post('/v4/sandbox/reset')).body.returned).toEqual([]);
});

import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { CardLifecycle, type Goal } from '../src/modules/cards/card-lifecycle';
import { CARD_TRANSITIONS, type CardStatus } from '../src/modules/cards/card.entity';
import { Requeries } from '../src/providers/requeries';
import { CardsService } from '../src/modules/cards/cards.service';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';

const YEAR = 31_536_000;
const { MONEY, FEE } = CardOwner;
const LOAD = 5_000;

let duka: Duka;
let owner: CardOwner;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
});

/** As `card:block` and `card:unblock` do it. */
async function operate(cardId: string, to: Goal): Promise<void> {
  const card = await duka.get<CardsService>(CardsService).requireAny(decodeId('crd', cardId)!);
  const by = { actor: 'operator', actorId: 'grace', reason: 'fraud' } as const;
  await duka
    .get<CardLifecycle>(CardLifecycle)
    .change(card, { to, by, origin: { requestId: null, idempotencyKey: null }, claim: null });
}

const expire = async () => {
  for (let year = 0; year < 4; year++) await owner.advance(YEAR);
};

/** A card in each state, and what its steps were. */
const IN: Record<CardStatus, () => Promise<string>> = {
  pending: async () => (await owner.issue({ lastName: 'SLOW' })).body.id,
  failed: async () => (await owner.issue({ lastName: 'DECLINE' })).body.id,
  active: async () => (await owner.card()).id,
  frozen: async () => done('active', (id) => owner.act(id, 'freeze')),
  blocked: async () => done('active', (id) => operate(id, 'blocked')),
  terminated: async () => done('active', (id) => owner.act(id, 'terminate')),
  expired: async () => done('active', expire),
};

async function done(from: CardStatus, step: (id: string) => Promise<unknown>): Promise<string> {
  const id = await IN[from]();
  await step(id);
  return id;
}

const ACTIONS = {
  freeze: ['active'],
  unfreeze: ['frozen'],
  terminate: ['active', 'frozen', 'blocked', 'expired'],
} as const;
const STATES = Object.keys(CARD_TRANSITIONS) as CardStatus[];

describe.each(STATES)('a card that is %s', (state) => {
  it('is so in its object, its events, its transitions and the books', async () => {
    const id = await IN[state]();
    expect((await owner.get(id)).status).toBe(state);
    const isIssued = !['pending', 'failed'].includes(state);
    const back = state === 'failed';
    const wallet = MONEY - (back ? 0 : LOAD + FEE) + (state === 'terminated' ? LOAD : 0);
    expect(await owner.money(id)).toEqual({
      wallet: [wallet, state === 'pending' ? LOAD + FEE : 0],
      card: [isIssued && state !== 'terminated' ? LOAD : 0, 0],
    });
    const last = (await owner.path(id)).at(-1)!;
    expect(last.split('>')[1]).toBe(state);
    const told = { pending: [], failed: ['card.issue_failed'], active: ['card.issued'] }[state as string] ?? [
      'card.issued',
      `card.${state}`,
    ];
    expect(await owner.events(id)).toEqual(told);
    await duka.expectBooks();
  });

  it.each(Object.entries(ACTIONS))('can %s only from %j', async (action, from) => {
    const id = await IN[state]();
    const before = await owner.money(id);
    const answer = await owner.act(id, action);
    const isLegal = (from as readonly string[]).includes(state);
    expect([answer.status, answer.body.code]).toEqual(isLegal ? [200, undefined] : [409, 'invalid_state_transition']);
    if (!isLegal) {
      expect(answer.body.resource_id).toBe(id);
      expect([(await owner.get(id)).status, await owner.money(id)]).toEqual([state, before]);
    }
  });

  it.each(['fund', 'withdraw'])('takes %s only while it may', async (action) => {
    const id = await IN[state]();
    const { status, body } = await owner.act(id, action, { amount: 1_000 });
    const allowed = action === 'fund' ? ['active'] : ['active', 'frozen', 'expired'];
    expect([status, body.code]).toEqual(allowed.includes(state) ? [201, undefined] : [409, 'card_not_active']);
  });
});

it('keeps who changed it and why', async () => {
  const { id } = await owner.card();
  await owner.act(id, 'freeze');
  await operate(id, 'blocked');
  await operate(id, 'unblocked');
  await owner.act(id, 'unfreeze');
  await owner.act(id, 'terminate');
  const all = (await owner.api.all(`/v4/cards/${id}/transitions?limit=2`)).reverse();
  expect(
    all.map(({ from, to, actor, actor_id: by, reason }) => [from, to, actor, String(by).slice(0, 4), reason]),
  ).toEqual([
    [null, 'pending', 'account', 'key_', null],
    ['pending', 'active', 'issuer', 'sand', null],
    ['active', 'frozen', 'account', 'key_', 'owner_request'],
    ['frozen', 'blocked', 'operator', 'grac', 'fraud'],
    ['blocked', 'frozen', 'operator', 'grac', 'fraud'],
    ['frozen', 'active', 'account', 'key_', 'owner_request'],
    ['active', 'terminated', 'account', 'key_', 'owner_request'],
  ]);
  expect(await owner.events(id)).toEqual([
    'card.issued',
    'card.frozen',
    'card.blocked',
    'card.frozen',
    'card.unfrozen',
    'card.terminated',
  ]);
});

it('is not unfrozen by its owner while an operator blocks it, and not blocked twice', async () => {
  const id = await IN.blocked();
  expect((await owner.get(id)).status_reason).toBe('fraud');
  expect((await owner.act(id, 'unfreeze')).body.code).toBe('invalid_state_transition');
  await expect(operate(id, 'blocked')).rejects.toThrow('blocked');
  await operate(id, 'unblocked');
  expect((await owner.get(id)).status).toBe('active');
});

it.each(['freeze', 'terminate'])('is asked to %s once for a key', async (action) => {
  const { id } = await owner.card();
  const first = await owner.act(id, action, undefined, 'once');
  const again = await owner.act(id, action, undefined, 'once');
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.status]).toEqual([
    200,
    'true',
    first.body.status,
  ]);
  const [{ id: other }] = [await owner.card()];
  expect((await owner.act(other, action, undefined, 'once')).body.code).toBe('idempotency_key_reused');
});

it('is terminated once by ten at once, and its money comes back once', async () => {
  const { id } = await owner.card();
  const answers = await Promise.all(Array.from({ length: 10 }, () => owner.act(id, 'terminate')));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  expect(await owner.money(id)).toEqual({ wallet: [MONEY - FEE, 0], card: [0, 0] });
});

it('returns what is on it to the wallet when it is terminated, and its account is closed', async () => {
  const { id } = await owner.card();
  const { body } = await owner.act(id, 'terminate');
  expect(body).toMatchObject({ status: 'terminated', status_reason: 'owner_request', balance: { ledger: 0 } });
  const [transaction] = (await owner.api.get('/v4/transactions?type=card_withdrawal')).body.data;
  expect(transaction).toMatchObject({
    amount: LOAD,
    fee: 0,
    direction: 'credit',
    status: 'successful',
    details: { card_id: id },
  });
  await owner.advance(1);
  await owner.advance(1);
  const [account] = await duka
    .get<DataSource>(DataSource)
    .query('SELECT status FROM ledger_accounts WHERE id = $1', [decodeId('crd', id)]);
  expect(account.status).toBe('closed');
});

it('keeps its money when it expires; it can be withdrawn, and terminating returns the rest', async () => {
  const id = await IN.expired();
  expect((await owner.act(id, 'withdraw', { amount: 1_000 })).status).toBe(201);
  expect((await owner.act(id, 'terminate')).body.status).toBe('terminated');
  expect(await owner.money(id)).toEqual({ wallet: [MONEY - FEE, 0], card: [0, 0] });
});

it('expires once it is unfrozen, if its last day went by while it was frozen', async () => {
  const id = await IN.frozen();
  await expire();
  expect((await owner.get(id)).status).toBe('frozen');
  await owner.act(id, 'unfreeze');
  await owner.advance(1);
  expect((await owner.get(id)).status).toBe('expired');
});

it('is told to an issuer that does not hear at first, until it has heard', async () => {
  const { id } = await owner.card({ lastName: 'Stubborn' });
  await owner.act(id, 'freeze');
  const behind = async () => (await duka.get<CardsService>(CardsService).requireAny(decodeId('crd', id)!)).issuerBehind;
  while ((await duka.get<CardsService>(CardsService).requireAny(decodeId('crd', id)!)).checks === 0)
    await duka.get<Requeries>(Requeries).sweep();
  expect([await behind(), (await owner.get(id)).status]).toEqual([true, 'frozen']);
  await owner.advance(10);
  expect(await behind()).toBe(false);
});

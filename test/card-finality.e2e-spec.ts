import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { decodeId, encodeId } from '../src/core/http/ids';
import { DECLINED_BY_STATUS } from '../src/modules/cards/authorizations.service';
import type { IssueResult } from '../src/modules/cards/card-issuer';
import { CardLifecycle, type Goal } from '../src/modules/cards/card-lifecycle';
import { CARD_STATUSES, type CardStatus } from '../src/modules/cards/card.entity';
import { CardsService } from '../src/modules/cards/cards.service';
import { ClearingsService } from '../src/modules/cards/clearings.service';
import { type IssuerMessage, IssuerMessages } from '../src/modules/cards/issuer-messages';
import type { IssuingCard } from '../src/modules/cards/issuing/card-opening';
import { CardRun } from '../src/modules/cards/issuing/card-issuing.service';
import { CARD_TRANSACTION_STATUSES } from '../src/modules/cards/card-transaction.entity';
import { TransactionsService } from '../src/modules/transactions/transactions.service';
import { CardNetwork } from './support/card-network';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

/** All rows of an account that a state, money or an event is in. What the sweeper notes on a card for itself is not among them. */
async function rowsOf(accountId: string): Promise<unknown> {
  const noise = `'{checks,next_check_at,issuer_behind}'::text[]`;
  const tables = [
    'card_transitions',
    'card_transactions',
    'card_clearings',
    'transactions',
    'events',
    'ledger_holds',
    'ledger_entries',
  ].map((table) => [table, `to_jsonb(t) - ${noise}`]);
  const all: unknown[] = [];
  for (const [table, row] of [
    ...tables,
    ['cards', `to_jsonb(t) - ${noise} - 'version'`],
    ['ledger_accounts', 'jsonb_build_object(t.id, t.available + t.held)'],
  ]) {
    const rows = await duka
      .get<DataSource>(DataSource)
      .query(`SELECT ${row} AS row FROM ${table} t WHERE account_id = $1 ORDER BY (${row})::text`, [accountId]);
    all.push([table, rows]);
  }
  return all;
}

const ISSUED = { outcome: 'done', issuerReference: 'i-1', last4: '4242', expMonth: 1, expYear: 2090 } as const;
const ANSWERS: Record<string, IssueResult> = {
  done: ISSUED,
  refused: { outcome: 'refused', code: 'no', message: 'No.', recovery: 'none' },
  accepted: { outcome: 'accepted' },
  unknown: { outcome: 'unknown', code: 'timeout' },
};

/** A card, and what was known of it while its issuer was asked. */
interface Holder {
  readonly owner: CardOwner;
  readonly id: string;
  readonly asked: IssuingCard;
}
type Deed = (holder: Holder) => Promise<unknown>;

const read = (id: string) => duka.get<CardsService>(CardsService).requireAny(decodeId('crd', id)!);
const answers =
  (result: IssueResult): Deed =>
  ({ asked }) =>
    duka.get<CardRun>(CardRun).conclude(asked, 'find', result);
const acts =
  (action: string, body?: object): Deed =>
  ({ owner, id }) =>
    owner.act(id, action, body);
const goes =
  (to: Goal, actor: 'operator' | 'clock'): Deed =>
  async ({ id }) => {
    const order = {
      to,
      by: { actor, actorId: null, reason: 'fraud' },
      origin: { requestId: null, idempotencyKey: null },
      claim: null,
    } as const;
    await duka.get<CardLifecycle>(CardLifecycle).change(await read(id), order);
  };

const INPUTS: Record<string, readonly [readonly CardStatus[], Deed]> = {
  freeze: [['active'], acts('freeze')],
  unfreeze: [['frozen'], acts('unfreeze')],
  terminate: [['active', 'frozen', 'blocked', 'expired'], acts('terminate')],
  block: [['active', 'frozen'], goes('blocked', 'operator')],
  unblock: [['blocked'], goes('unblocked', 'operator')],
  fund: [['active'], acts('fund', { amount: 100 })],
  withdraw: [['active', 'frozen', 'expired'], acts('withdraw', { amount: 100 })],
  expiry: [['active'], goes('expired', 'clock')],
  'its last day': [
    ['active', 'pending'],
    async ({ id }) => duka.get<CardLifecycle>(CardLifecycle).look(await read(id), new Date('2099-01-01')),
  ],
  ...Object.fromEntries(
    Object.entries(ANSWERS).map(([name, result]) => [
      `the issuer's answer ${name}`,
      [['pending'], answers(result)] as const,
    ]),
  ),
};

const REACHED: Record<CardStatus, readonly Deed[]> = {
  pending: [],
  failed: [answers(ANSWERS.refused!)],
  active: [answers(ISSUED)],
  frozen: [answers(ISSUED), acts('freeze')],
  blocked: [answers(ISSUED), goes('blocked', 'operator')],
  terminated: [answers(ISSUED), acts('terminate')],
  expired: [answers(ISSUED), goes('expired', 'clock')],
};

async function holderOf(status: CardStatus): Promise<Holder> {
  const owner = await CardOwner.of(duka);
  const { id } = (await owner.issue({ lastName: 'SLOW' })).body;
  const card = await read(id);
  const transaction = await duka
    .get<TransactionsService>(TransactionsService)
    .require(card, encodeId('txn', card.transactionId));
  const holder = { owner, id, asked: { card, transaction } };
  for (const deed of REACHED[status]) await deed(holder);
  await until(async () => !(await read(id)).issuerBehind);
  expect((await owner.get(id)).status).toBe(status);
  return holder;
}

describe.each(CARD_STATUSES)('a card that is %s', (status) => {
  const cells = Object.entries(INPUTS).map(([input, [from]]) => [input, from.includes(status)] as const);

  it.each(cells.filter(([, isLegal]) => !isLegal))('is not changed by %s, and nobody is told', async (input) => {
    const holder = await holderOf(status);
    const before = await rowsOf(holder.asked.card.accountId);
    await INPUTS[input]![1](holder).catch(() => null);
    expect(await rowsOf(holder.asked.card.accountId)).toEqual(before);
  });

  // Else the table would be true of inputs that do nothing.
  for (const [input] of cells.filter(([, isLegal]) => isLegal)) {
    it(`is changed by ${input}`, async () => {
      const holder = await holderOf(status);
      const before = await rowsOf(holder.asked.card.accountId);
      await INPUTS[input]![1](holder);
      expect(await rowsOf(holder.asked.card.accountId)).not.toEqual(before);
    });
  }

  it('answers an authorization as its state says', async () => {
    const { owner, id } = await holderOf(status);
    const [before, money] = [await owner.get(id), await owner.money(id)];
    const { body } = await owner.api.post(`/v4/sandbox/cards/${id}/simulate`, { kind: 'authorization', amount: 100 });
    expect(body.decline_reason).toBe(DECLINED_BY_STATUS[status]);
    if (status === 'active') return;
    expect([await owner.get(id), await owner.money(id)]).toEqual([before, money]);
    expect(await owner.events(body.id)).toEqual(['card.transaction.declined']);
  });
});

const KINDS = ['clearing', 'void', 'refund', 'expiry'] as const;
type Kind = (typeof KINDS)[number];
/** Of more than is left: nothing. */
const LIMITED = KINDS.filter((kind) => kind !== 'clearing');

/**
 * How each state is reached, and what may follow: money held is cleared, released or lapses, money cleared comes back. A
 * clearing of an amount follows on each.
 */
const SPENT: Record<string, readonly [steps: readonly [Kind, number?][], status: string, follows: readonly Kind[]]> = {
  authorized: [[], 'authorized', ['clearing', 'void', 'expiry']],
  'authorized, voided in part': [[['void', 300]], 'authorized', ['clearing', 'void', 'expiry']],
  'settled in part': [[['clearing', 400]], 'settled', KINDS],
  settled: [[['clearing']], 'settled', ['refund']],
  'settled, refunded in part': [[['clearing'], ['refund', 300]], 'settled', ['refund']],
  voided: [[['void']], 'voided', []],
  expired: [[['expiry']], 'expired', []],
  refunded: [[['clearing'], ['refund']], 'refunded', []],
};

class Spent {
  constructor(
    readonly network: CardNetwork,
    readonly id: string,
    readonly begun: IssuerMessage,
  ) {}

  static async of(kind: 'authorization' | 'decline' | 'fee'): Promise<Spent> {
    const network = await CardNetwork.in(duka, 5_000);
    const begun: IssuerMessage = {
      issuer: 'sandbox',
      id: randomUUID(),
      cardId: network.cardId,
      kind,
      amount: 1_000n,
      merchant: { name: 'Books', mcc: '5942', country: 'US' },
      authorization: 'auth-1',
      declineReason: null,
    };
    const { made } = await Spent.take(begun);
    return new Spent(network, made.id, begun);
  }

  static take(message: IssuerMessage) {
    return duka.get<IssuerMessages>(IssuerMessages).take(message);
  }

  step(kind: Kind, amount: bigint | null = null, id = this.id): Promise<unknown> {
    const cause = { key: null, fingerprint: Buffer.alloc(32), message: null, requestId: null };
    return duka.get<ClearingsService>(ClearingsService).step({ ...this.network.owner, id }, { kind, amount }, cause);
  }

  rows(): Promise<unknown> {
    return rowsOf(this.network.owner.accountId);
  }

  async expectNothingOf(deed: () => Promise<unknown>): Promise<void> {
    const before = await this.rows();
    await deed().catch(() => null);
    expect(await this.rows()).toEqual(before);
  }
}

async function spent(state: string): Promise<Spent> {
  const made = await Spent.of('authorization');
  const [steps, status] = SPENT[state]!;
  for (const [kind, amount] of steps) await made.step(kind, amount === undefined ? null : BigInt(amount));
  expect((await made.network.get(encodeId('ctx', made.id))).status).toBe(status);
  return made;
}

it('covers every state of a card transaction', () => {
  const all = new Set([...Object.values(SPENT).map(([, status]) => status), 'declined']);
  expect(all).toEqual(new Set(CARD_TRANSACTION_STATUSES));
});

describe.each(Object.entries(SPENT))('a card transaction that is %s', (state, [, , follows]) => {
  for (const kind of KINDS.filter((one) => !follows.includes(one))) {
    it(`is not changed by a ${kind}, of all or of a part`, async () => {
      const made = await spent(state);
      await made.expectNothingOf(() => made.step(kind));
      if (kind !== 'clearing') await made.expectNothingOf(() => made.step(kind, 1n));
    });
  }

  it('is not changed by a step of more than is left, nor by what began it once more', async () => {
    const made = await spent(state);
    for (const kind of LIMITED) await made.expectNothingOf(() => made.step(kind, 1_001n));
    await made.expectNothingOf(() => Spent.take(made.begun));
    await made.expectNothingOf(() => Spent.take({ ...made.begun, amount: 999n }));
    await made.expectNothingOf(() => Spent.take({ ...made.begun, id: randomUUID() }));
  });

  for (const kind of new Set<Kind>([...follows, 'clearing'])) {
    it(`is changed by a ${kind}, once for a message`, async () => {
      const made = await spent(state);
      const before = await made.rows();
      const message = { ...made.begun, id: randomUUID(), kind: kind as 'void', amount: 1n, merchant: null };
      const deed = () => (kind === 'expiry' ? made.step(kind) : Spent.take(message));
      await deed();
      expect(await made.rows()).not.toEqual(before);
      await made.expectNothingOf(deed);
    });
  }
});

describe.each(['decline', 'fee', 'refund'] as const)('what is no authorization: a %s', (what) => {
  it.each(KINDS)('is not changed by a %s', async (kind) => {
    const made = what === 'refund' ? await spent('refunded') : await Spent.of(what);
    const id = what === 'refund' ? decodeId('ctx', (await made.network.list('&type=refund'))[0].id)! : made.id;
    // What was declined may be cleared all the same, by an amount.
    const amounts = what === 'decline' && kind === 'clearing' ? [null] : [null, 1n];
    for (const amount of amounts) await made.expectNothingOf(() => made.step(kind, amount, id));
    await made.expectNothingOf(() => Spent.take(made.begun));
  });
});

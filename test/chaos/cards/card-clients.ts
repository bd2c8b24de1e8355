import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../purchases/pace';
import { cardholder } from '../../support/cardholder';
import type { Shop } from './shop';
import { heldBy, refundedOf, type ToldAuthorization, type ToldCard, type ToldMove } from './told';
import { count } from './wire';

const CLIENTS = 12;
const PAUSE_MS = 25;
const [LOAD_MAX, MOVE_MAX, SPENT_MAX, FEE_MAX] = [20_000, 4_000, 3_000, 60];
/** Cards of an account that are used; then there is a new one only after another's end. */
const CARDS_MAX = 18;
/** Cardholders, and whether the issuer makes them a card. */
const HOLDERS: readonly (readonly [weight: number, lastName: string, isIssued: boolean])[] = [
  [12, 'Obi', true],
  [2, 'Unknown', true],
  [2, 'Slow', true],
  [2, 'Lost', true],
  [2, 'Stubborn', true],
  [1, 'DECLINE', false],
  [1, 'Denied', false],
];
const NOTHING_YET = { isDeclined: false, cleared: 0, voided: 0, fromWallet: 0 } as const;
const REFUSALS = [
  'insufficient_funds',
  'card_not_active',
  'invalid_state_transition',
  'card_amount_exceeded',
  'card_overdrawn',
  'wallet_closed',
];

type Deed = (shop: Shop, card: ToldCard) => Promise<boolean>;

/** Clients of cards: any of them does anything with any card, and keeps what it was told. */
export class CardClients {
  /** Requests that were answered with an effect, by what they were. */
  readonly done = new Map<string, number>();
  begun = 0;

  private readonly deeds: readonly (readonly [weight: number, name: string, deed: Deed])[] = [
    [12, 'fund', (shop, card) => this.move(shop, card, 'card_funding')],
    [10, 'withdraw', (shop, card) => this.move(shop, card, 'card_withdrawal')],
    [24, 'authorization', (shop, card) => this.authorize(shop, card)],
    [18, 'clearing', (shop, card) => this.clear(shop, card)],
    [2, 'unasked clearing', (shop, card) => this.take(shop, card)],
    [7, 'void', (shop, card) => this.void(shop, card)],
    [8, 'refund', (shop, card) => this.refund(shop, card)],
    [6, 'fee', (shop, card) => this.charge(shop, card)],
    [4, 'freeze', (shop, card) => this.turn(shop, card, 'freeze')],
    [6, 'unfreeze', (shop, card) => this.turn(shop, card, 'unfreeze')],
    [2, 'terminate', (shop, card) => this.terminate(shop, card)],
  ];

  constructor(
    private readonly shops: readonly Shop[],
    private readonly operations: number,
    private readonly pace: Pace,
  ) {}

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.work()));
  }

  private async work(): Promise<void> {
    while (this.begun < this.operations) {
      if (this.begun < this.pace.allowance) await this.act();
      else await sleep(PAUSE_MS);
    }
  }

  private async act(): Promise<void> {
    const shop = this.shops[randomInt(this.shops.length)]!;
    const living = shop.cards.filter(({ isIssued, terminations }) => isIssued && terminations === 0);
    if (living.length === 0 || (living.length < CARDS_MAX && randomInt(8) === 0)) {
      this.begun++;
      if (await this.issue(shop)) count(this.done, 'issue');
      return;
    }
    const [, name, deed] = pick(this.deeds);
    // A refund comes whatever became of the card.
    const cards = name === 'refund' ? shop.cards : living;
    const card = cards[randomInt(cards.length)]!;
    if (await deed(shop, card)) count(this.done, name);
  }

  private async issue(shop: Shop): Promise<boolean> {
    const [, lastName, isIssued] = pick(HOLDERS);
    const [amount, wallet] = [randomInt(500, LOAD_MAX), shop.anyWallet('USD')];
    const body = { customer: cardholder(lastName), currency: 'USD', amount, funding_wallet_id: wallet };
    const card = await shop.post('/v4/cards/issue', body, ['insufficient_funds']);
    if (card === null) return false;
    shop.cards.push({
      id: card.id,
      wallet,
      amount,
      isIssued,
      moves: [],
      authorizations: [],
      fees: [],
      freezes: 0,
      unfreezes: 0,
      terminations: 0,
    });
    return true;
  }

  private async move(shop: Shop, card: ToldCard, type: ToldMove['type']): Promise<boolean> {
    const [amount, wallet] = [randomInt(1, MOVE_MAX), shop.anyWallet('USD')];
    const made = await this.post(shop, `/v4/cards/${card.id}/${type === 'card_funding' ? 'fund' : 'withdraw'}`, {
      amount,
      wallet_id: wallet,
    });
    if (made !== null) card.moves.push({ id: made.id, type, wallet, amount });
    return made !== null;
  }

  private async authorize(shop: Shop, card: ToldCard): Promise<boolean> {
    const amount = randomInt(1, SPENT_MAX);
    const made = await this.simulate(shop, card, { kind: 'authorization', amount });
    if (made === null) return false;
    const isDeclined = made.decline_reason !== null;
    card.authorizations.push({ ...NOTHING_YET, id: made.id, type: 'authorization', amount, isDeclined, refunds: [] });
    return true;
  }

  /** Of all that is held, of a part, or of more; sometimes after the end of it all. */
  private async clear(shop: Shop, card: ToldCard): Promise<boolean> {
    const [isLate, isMore] = [randomInt(10) === 0, randomInt(8) === 0];
    const one = anyOf(card.authorizations.filter((each) => isLate || heldBy(each) > 0));
    if (one === null) return false;
    const amount = isLate || isMore ? heldBy(one) + randomInt(1, MOVE_MAX) : someOf(heldBy(one));
    const made = await this.simulate(shop, card, { kind: 'clearing', card_transaction_id: one.id, amount });
    if (made === null) return false;
    one.cleared += amount;
    // The answer has the sum of all clearings until then; answers overtake each other.
    one.fromWallet = Math.max(one.fromWallet, made.wallet_amount);
    return true;
  }

  /** A clearing of what was never asked for. */
  private async take(shop: Shop, card: ToldCard): Promise<boolean> {
    const amount = randomInt(1, SPENT_MAX);
    const made = await this.simulate(shop, card, { kind: 'clearing', amount });
    if (made === null) return false;
    card.authorizations.push({
      ...NOTHING_YET,
      id: made.id,
      type: 'clearing',
      amount,
      cleared: amount,
      fromWallet: made.wallet_amount,
      refunds: [],
    });
    return true;
  }

  private async void(shop: Shop, card: ToldCard): Promise<boolean> {
    const one = anyOf(card.authorizations.filter((each) => heldBy(each) > 0));
    if (one === null) return false;
    const amount = someOf(heldBy(one));
    const made = await this.simulate(shop, card, { kind: 'void', card_transaction_id: one.id, amount });
    if (made !== null) one.voided += amount;
    return made !== null;
  }

  private async refund(shop: Shop, card: ToldCard): Promise<boolean> {
    const one = anyOf(card.authorizations.filter((each) => each.cleared > refundedOf(each)));
    if (one === null) return false;
    const amount = randomInt(1, one.cleared - refundedOf(one) + 1);
    const made = await this.simulate(shop, card, { kind: 'refund', card_transaction_id: one.id, amount });
    if (made !== null) one.refunds.push(amount);
    return made !== null;
  }

  private async charge(shop: Shop, card: ToldCard): Promise<boolean> {
    const amount = randomInt(1, FEE_MAX);
    const made = await this.simulate(shop, card, { kind: 'fee', amount });
    if (made !== null) card.fees.push({ id: made.id, amount });
    return made !== null;
  }

  private async turn(shop: Shop, card: ToldCard, action: 'freeze' | 'unfreeze'): Promise<boolean> {
    const made = await this.post(shop, `/v4/cards/${card.id}/${action}`);
    if (made !== null) card[`${action}s`]++;
    return made !== null;
  }

  private async terminate(shop: Shop, card: ToldCard): Promise<boolean> {
    const made = await this.post(shop, `/v4/cards/${card.id}/terminate`);
    if (made !== null) card.terminations++;
    return made !== null;
  }

  private simulate(shop: Shop, { id }: ToldCard, body: object): Promise<any> {
    return this.post(shop, `/v4/sandbox/cards/${id}/simulate`, body);
  }

  private post(shop: Shop, path: string, body?: object): Promise<any> {
    this.begun++;
    return shop.post(path, body, REFUSALS);
  }
}

/** By weight, which comes first in each row. */
export function pick<T extends readonly [number, ...unknown[]]>(rows: readonly T[]): T {
  let rest = randomInt(rows.reduce((total, [weight]) => total + weight, 0));
  return rows.find(([weight]) => (rest -= weight) < 0)!;
}

/** All of an amount, or a part. */
const someOf = (amount: number): number => (randomInt(2) === 0 ? amount : randomInt(1, amount + 1));

const anyOf = (list: readonly ToldAuthorization[]): ToldAuthorization | null =>
  list[randomInt(Math.max(list.length, 1))] ?? null;

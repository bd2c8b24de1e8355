import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '../../../src/core/http/ids';
import type { Company } from '../../pretended/stripe/company';
import { cardholder } from '../../support/cardholder';
import { pick } from '../cards/card-clients';
import { count } from '../cards/wire';
import type { Pace } from '../purchases/pace';
import type { Client } from './client';

type Json = Record<string, any>;

const CLIENTS = 6;
const PAUSE_MS = 25;
/** Cents: more than merchants take, so that wallets stand in for nothing. */
const [LOAD, MORE] = [40_000, 5_000];
const [SPENT_MIN, SPENT_MAX, FORCED_MAX] = [100, 3_000, 200];
const PURCHASES = 8;
const [POLL_MS, POLLS_MAX] = [500, 60];
const REST_MAX_MS = 400;

/** What a merchant does with what was authorized. */
type Deed = (merchant: Merchant, authorization: Json) => Promise<unknown>;

const half = ({ amount }: Json): number => Math.floor(amount / 2);

const DEEDS: readonly (readonly [weight: number, name: string, deed: Deed])[] = [
  [6, 'captured', (merchant, one) => merchant.capture(one)],
  [4, 'captured in parts', (merchant, one) => merchant.captureInParts(one)],
  [4, 'captured, and given back in parts', (merchant, one) => merchant.captureAndRefund(one)],
  [3, 'reversed', (merchant, one) => merchant.play(`authorizations/${one.id}/reverse`)],
  [
    3,
    'reversed in part, and captured',
    async (merchant, one) => {
      await merchant.play(`authorizations/${one.id}/reverse`, { reverse_amount: half(one) });
      await merchant.capture(one);
    },
  ],
  [
    3,
    'incremented, and captured',
    async (merchant, one) => {
      await merchant.play(`authorizations/${one.id}/increment`, { increment_amount: half(one) });
      await merchant.capture(one);
    },
  ],
  [2, 'expired', (merchant, one) => merchant.play(`authorizations/${one.id}/expire`)],
  [2, 'left open', () => Promise.resolve()],
];

/** As merchants use cards at Stripe. */
class Merchant {
  constructor(private readonly company: Company) {}

  async play(path: string, form: Readonly<Record<string, string | number>> = {}): Promise<Json> {
    await sleep(randomInt(REST_MAX_MS));
    const given = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
    const played = await this.company.network.play(`/v1/test_helpers/issuing/${path}`, given);
    if (played === null) throw new Error(`Stripe has no ${path}`);
    return played;
  }

  capture({ id, amount }: Json, part: number = amount, closes = true): Promise<Json> {
    const form = { capture_amount: part, close_authorization: `${closes}` };
    return this.play(`authorizations/${id}/capture`, form);
  }

  async captureInParts(authorization: Json): Promise<void> {
    const [all, first] = [authorization.amount as number, half(authorization)];
    await this.capture(authorization, first, false);
    await this.capture(authorization, all - first);
  }

  async captureAndRefund(authorization: Json): Promise<void> {
    const all = authorization.amount as number;
    const { transactions } = await this.capture(authorization);
    const first = Math.floor(all / 3);
    for (const refund_amount of [first, randomInt(1, all - first)])
      await this.play(`transactions/${transactions[0].id}/refund`, { refund_amount });
  }
}

export const cardKeyOf = (index: number): string => `card-${index}`;

/** Clients that issue cards and load them, and merchants that use them. */
export class Cards {
  begun = 0;
  /** Id of each card that was answered. */
  readonly told = new Map<number, string>();
  /** Ids of loads that were answered. */
  readonly loads: string[] = [];
  /** Authorizations by what became of them. */
  readonly done = new Map<string, number>();
  private readonly merchant: Merchant;

  constructor(
    private readonly client: Client,
    private readonly company: Company,
    private readonly order: {
      readonly wallet: string;
      readonly customer: string;
      readonly cards: number;
      readonly pace: Pace;
    },
  ) {
    this.merchant = new Merchant(company);
  }

  /** Somebody who may have cards. */
  static async customer(client: Client): Promise<string> {
    return (await client.post('/v4/customers', cardholder(), { key: 'cardholder' })).id as string;
  }

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    const { cards, pace } = this.order;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (this.begun < cards) {
          if (this.begun < pace.allowance) await this.carryOut(this.begun++);
          else await sleep(PAUSE_MS);
        }
      }),
    );
  }

  private async carryOut(index: number): Promise<void> {
    const { wallet, customer } = this.order;
    const order = { customer_id: customer, currency: 'USD', amount: LOAD + index, funding_wallet_id: wallet };
    const made = await this.client.post('/v4/cards/issue', order, { key: cardKeyOf(index) });
    if (made === null) return;
    this.told.set(index, made.id);
    const theirs = await this.untilActive(made.id);
    if (theirs === null) return;
    await Promise.all([this.load(made.id, wallet), this.use(theirs), this.use(theirs)]);
  }

  /** As Stripe calls it; null: it was not to be had for so long. */
  private async untilActive(id: string): Promise<string | null> {
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      const { status } = await this.client.get(`/v4/cards/${id}`);
      const made = [...this.company.cards.values()].find(({ metadata }) => metadata.reference === decodeId('crd', id));
      if (status === 'active' && made !== undefined) return made.id as string;
      await sleep(POLL_MS);
    }
    return null;
  }

  private async load(id: string, wallet: string): Promise<void> {
    for (let load = 1; load <= 2; load++) {
      const body = { amount: MORE + load, wallet_id: wallet };
      const made = await this.client.post(`/v4/cards/${id}/fund`, body, { key: `${id}-${load}` });
      if (made !== null) this.loads.push(made.id);
    }
  }

  private async use(card: string): Promise<void> {
    for (let purchase = 0; purchase < PURCHASES / 2; purchase++) {
      const one = await this.merchant.play('authorizations', { card, amount: randomInt(SPENT_MIN, SPENT_MAX) });
      const [, name, deed] = pick(DEEDS);
      count(this.done, one.approved ? name : 'declined');
      if (one.approved) await deed(this.merchant, one);
    }
    await this.merchant.play('transactions/create_force_capture', { card, amount: randomInt(1, FORCED_MAX) });
    count(this.done, 'captured without being asked for');
    await this.merchant.play('transactions/create_unlinked_refund', { card, amount: randomInt(1, FORCED_MAX) });
    count(this.done, 'given back, of nothing known');
  }
}

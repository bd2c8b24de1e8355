import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '../../../src/core/http/ids';
import { gatewayReferenceOf } from '../../../src/modules/payments/gateway-client';
import type { GatewayDeed } from '../../contracts/gateway-rules';
import { pick } from '../cards/card-clients';
import { count } from '../cards/wire';
import type { Pace } from '../purchases/pace';
import type { Callbacks } from './callbacks';
import type { Client } from './client';
import type { Gateway } from './gateways';

interface Plot {
  readonly name: string;
  /** What the gateway does that is chosen first. */
  readonly opens: GatewayDeed;
  /** Somebody pays so many kobo more than was asked for, where that is possible; absent: nobody does. */
  readonly pays?: number;
  /** Into how many parts it is given back. */
  readonly parts?: number;
  /** The last part is not given back. */
  readonly isKept?: boolean;
}

const PLOTS: readonly (readonly [weight: number, plot: Plot])[] = [
  [18, { name: 'paid', opens: 'waits', pays: 0 }],
  [8, { name: 'paid before the page was told of', opens: 'pays' }],
  [5, { name: 'paid too little', opens: 'waits', pays: -2_345 }],
  [5, { name: 'paid too much', opens: 'waits', pays: 2_345 }],
  [8, { name: 'refused by the first gateway', opens: 'refuses', pays: 0 }],
  [6, { name: 'declined', opens: 'declines' }],
  [8, { name: 'never paid', opens: 'waits' }],
  [12, { name: 'paid, and given back in parts', opens: 'waits', pays: 0, parts: 3 }],
  [8, { name: 'paid, and given back', opens: 'pays', parts: 1 }],
  [6, { name: 'paid, and a part is not given back', opens: 'waits', pays: 0, parts: 2, isKept: true }],
];
const CLIENTS = 8;
const PAUSE_MS = 25;
const FIRST_AMOUNT = 100_000;
const STARTS_MAX = 6;
const START_PAUSE_MS = 200;
const PAYS_MAX_MS = 2_000;
const [POLL_MS, POLLS_MAX] = [500, 24];
/** A payer who waits has it looked at each time: too often, and a person is called. */
const RETURNS_MAX = 5;
/** One in so many orders is told of before it is paid, one in so many falsely, and so many again. */
const [EARLY, FORGED, REPEATED] = [4, 4, 2];
const REFUSALS = ['invalid_state_transition', 'refund_exceeds_payment'];

export const paymentKeyOf = (index: number): string => `payment-${index}`;

/** Clients that ask for money, their payers, and what they give back. */
export class Payments {
  begun = 0;
  /** Id of each payment that was answered. */
  readonly told = new Map<number, string>();
  /** Ids of refunds that were answered. */
  readonly refunds: string[] = [];
  /** Payments by what became of them. */
  readonly done = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly callbacks: Callbacks,
    private readonly gateways: readonly Gateway[],
    private readonly order: { readonly wallet: string; readonly payments: number; readonly pace: Pace },
  ) {}

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    const { payments, pace } = this.order;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (this.begun < payments) {
          if (this.begun < pace.allowance) await this.carryOut(this.begun++);
          else await sleep(PAUSE_MS);
        }
      }),
    );
  }

  /** Our name for a payment at gateways. */
  referenceOf(id: string): string {
    return gatewayReferenceOf({ accountId: this.client.account, id: decodeId('pay', id)! });
  }

  private async carryOut(index: number): Promise<void> {
    const { wallet: wallet_id } = this.order;
    const policy = { on_underpaid: 'accept_received', on_overpaid: 'accept_received' };
    const body = { amount: FIRST_AMOUNT + index, currency: 'NGN', wallet_id, ...policy };
    const made = await this.client.post('/api/v1/payments', body, { key: paymentKeyOf(index) });
    if (made === null) return;
    this.told.set(index, made.id);
    const [, plot] = pick(PLOTS);
    count(this.done, plot.name);
    const reference = this.referenceOf(made.id);
    const first = this.gateways[randomInt(this.gateways.length)]!;
    for (const one of this.gateways) one.plan(reference, one === first ? plot.opens : 'waits');
    const { pathname: page } = new URL(made.checkout_url);
    const chosen = await this.choose(page, first, () => this.gateways.find((one) => one.isOpen(reference)));
    if (plot.pays !== undefined) await this.pay(reference, page, BigInt(body.amount + plot.pays));
    if (plot.parts !== undefined)
      await this.giveBack(made.id, page, plot, () => chosen.plan(reference, 'keeps_the_money'));
  }

  /** The payer chooses a gateway, and another one where that is not to be had. Returns the last one. */
  private async choose(page: string, first: Gateway, found: () => Gateway | undefined): Promise<Gateway> {
    let chosen = first;
    for (let starts = 0; starts < STARTS_MAX; starts++) {
      const answer = await this.visit(page, 'start', new URLSearchParams({ gateway: chosen.name }));
      if (answer?.status === 303) break;
      const isNotToBeHad = (await answer?.text().catch(() => ''))?.includes('Choose another one');
      if (isNotToBeHad) chosen = this.gateways.find((one) => one !== chosen) ?? chosen;
      await sleep(START_PAUSE_MS);
    }
    return found() ?? chosen;
  }

  /** Also where the page was never told of: the payer may have seen it in another window. */
  private async pay(reference: string, page: string, amount: bigint): Promise<void> {
    const open = this.gateways.find((one) => one.isOpen(reference));
    if (open === undefined) return;
    if (randomInt(EARLY) === 0) await this.callbacks.call(open, reference, false);
    if (randomInt(FORGED) === 0) await this.callbacks.call(open, reference, true);
    await sleep(randomInt(PAYS_MAX_MS));
    open.pay(reference, amount);
    if (randomInt(REPEATED) === 0) await this.callbacks.repeat(open, reference);
    else if (randomInt(2) === 0) await this.visit(page, 'return');
  }

  /** Once it is paid; where nobody heard of that for long it is left as it is. */
  private async giveBack(id: string, page: string, { parts = 1, isKept }: Plot, keep: () => void): Promise<void> {
    let paid = 0;
    for (let polls = 0; paid === 0 && polls < POLLS_MAX; polls++) {
      const { status, refundable } = await this.client.get(`/api/v1/payments/${id}`);
      if (status === 'successful') paid = refundable;
      else await Promise.all([polls < RETURNS_MAX && this.visit(page, 'return'), sleep(POLL_MS)]);
    }
    if (paid === 0) return;
    for (let part = 1; part <= parts; part++) {
      if (isKept && part === parts) keep();
      const amount = part === parts ? paid - Math.floor(paid / parts) * (parts - 1) : Math.floor(paid / parts);
      const known = { key: `${id}-${part}`, refusals: REFUSALS };
      const made = await this.client.post(`/api/v1/payments/${id}/refunds`, { amount }, known);
      if (made !== null) this.refunds.push(made.id);
    }
  }

  /** Null: nobody answered. */
  private visit(page: string, where: 'start' | 'return', form?: URLSearchParams): Promise<Response | null> {
    const address = `${this.callbacks.anyUrl()}${page.slice(1)}/${where}`;
    const init: RequestInit = { redirect: 'manual', ...(form && { method: 'POST', body: form }) };
    return fetch(address, init).catch(() => null);
  }
}

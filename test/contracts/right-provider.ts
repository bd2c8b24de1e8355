import { createHmac } from 'node:crypto';
import { newId } from '../../src/core/http/ids';
import type {
  Delivered,
  FindResult,
  NotDelivered,
  Order,
  OrderCallback,
  Provider,
  ProviderResult,
} from '../../src/modules/purchases/purchases.provider';
import type { CallbackRequest } from '../../src/providers/answers';
import type { Deed, Ending, Rig } from './rig';

interface Sale {
  readonly id: string;
  times: number;
}

/** The other side, without a network between. */
export class Shop {
  readonly deeds = new Map<string, Deed>();
  readonly sold = new Map<string, Sale>();
  readonly refused = new Set<string>();
  /** What is under way or was, and how it stands. */
  readonly under = new Map<string, 'under way' | Ending>();
  /** Minor units that it was asked for. */
  readonly asked = new Map<string, bigint>();
  /** Of what it delivers a part. */
  readonly parts = new Set<string>();
  isSignedIn = false;
  private readonly waiting = new Map<string, () => void>();

  /** What it answers; never, when it leaves one waiting. */
  async sell({ reference, amount }: Pick<Order, 'reference' | 'amount'>, signal: AbortSignal): Promise<string> {
    if (!this.isSignedIn) return 'who are you?';
    this.asked.set(reference, amount);
    const deed = this.deeds.get(reference)!;
    if (deed === 'refuses') this.refused.add(reference);
    else if (!this.sold.has(reference)) this.sold.set(reference, { id: newId(), times: 1 });
    return this.answer(reference, deed, signal);
  }

  async recall(reference: string, signal: AbortSignal): Promise<string> {
    if (!this.isSignedIn) return 'who are you?';
    const deed = this.deeds.get(reference)!;
    const isFree = !['goes_dark', 'loses_its_mind', 'locks_us_out'].includes(deed);
    return this.answer(reference, isFree ? 'delivers' : deed, signal, true);
  }

  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  private answer(reference: string, deed: Deed, signal: AbortSignal, isRequery = false): Promise<string> {
    if (deed === 'locks_us_out' && isRequery) return Promise.resolve('account locked');
    if (deed === 'talks_nonsense' || deed === 'loses_its_mind') return Promise.resolve('?!');
    if (deed === 'delivers' || deed === 'refuses') return Promise.resolve(this.truth(reference));
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      setImmediate(() => this.waiting.get(reference)?.());
    });
  }

  private truth(reference: string): string {
    const stands = this.under.get(reference);
    if (this.refused.has(reference) || stands === 'failed') return 'no';
    if (stands === 'under way' || stands === 'reversed') return stands;
    const sold = this.sold.get(reference)?.id ?? 'never heard of it';
    return this.parts.has(reference) ? `a part: ${sold}` : sold;
  }
}

export const REFUSAL: NotDelivered = {
  outcome: 'not_delivered',
  code: 'barred',
  message: 'The number is barred.',
  recovery: 'recipient_must_act',
  retryElsewhere: false,
};
/** Minor units, the last two of which are lost on whoever thinks in naira. */
const AMOUNT = 5_025n;
const PART = 4_000n;
/** It leaves us 25 of them. */
const COST = 5_000n;

export const delivered = (providerReference: string): Delivered => ({
  outcome: 'delivered',
  providerReference,
  deliveredAmount: AMOUNT,
  cost: COST,
  details: { operator_reference: 'MP-1' },
});

const signatureOf = (body: Buffer, by: string): string => createHmac('sha256', by).update(body).digest('hex');

const callbackOf =
  (by: string) =>
  (reference: string | null): CallbackRequest => {
    const body = Buffer.from(JSON.stringify({ reference }));
    return { body, headers: { 'content-type': 'application/json', signature: signatureOf(body, by) } };
  };

/** Passes the whole contract. */
export class RightProvider implements Provider {
  constructor(protected readonly shop: Shop) {}

  async purchase(order: Order, signal: AbortSignal): Promise<ProviderResult> {
    const result = this.read(await this.signedIn(() => this.shop.sell(order, signal)));
    const isNoAnswer = result.outcome === 'not_known' || result.outcome === 'reversed';
    return isNoAnswer ? { outcome: 'unknown', code: 'unexpected' } : result;
  }

  async find({ reference }: Order, signal: AbortSignal): Promise<FindResult> {
    const answer = await this.signedIn(() => this.shop.recall(reference, signal));
    const result = this.read(answer);
    if (result.outcome !== 'not_delivered') return result;
    return answer === 'no' ? { ...result, about: 'order' } : { outcome: 'unknown', code: 'account_locked' };
  }

  private async signedIn(ask: () => Promise<string>): Promise<string> {
    const answer = await ask();
    if (answer !== 'who are you?') return answer;
    this.shop.isSignedIn = true;
    return ask();
  }

  verify({ body, headers }: CallbackRequest): OrderCallback {
    return headers.signature === signatureOf(body, 'right') ? this.about(body) : { outcome: 'forged' };
  }

  about(body: Buffer): OrderCallback {
    const { reference } = JSON.parse(body.toString()) as { reference: string | null };
    return reference === null ? { outcome: 'other' } : { outcome: 'genuine', reference };
  }

  read(answer: string): ProviderResult | Exclude<FindResult, NotDelivered> {
    if (answer === 'under way') return { outcome: 'accepted' };
    if (answer === 'reversed') return { outcome: 'reversed', code: 'returned', message: 'It was taken back.' };
    if (answer === 'no') return REFUSAL;
    if (answer === 'account locked') return { ...REFUSAL, code: 'account_locked' };
    if (answer === 'never heard of it') return { outcome: 'not_known' };
    if (answer.startsWith('a part: ')) return { ...delivered(answer.slice(8)), deliveredAmount: PART };
    return answer === '?!' ? { outcome: 'unknown', code: 'nonsense' } : delivered(answer);
  }
}

export function rigOf(make: (shop: Shop) => Provider): Rig {
  const shop = new Shop();
  const order = (deed: Deed): Order => {
    const reference = newId();
    shop.deeds.set(reference, deed);
    return {
      reference,
      accountId: newId(),
      livemode: true,
      purchaseId: newId(),
      amount: AMOUNT,
      currency: 'NGN',
      item: {},
      options: {},
      providerReference: null,
      scenario: null,
    };
  };
  const sales = (reference: string) => shop.sold.get(reference)?.times ?? 0;
  const callbacks = { own: callbackOf('right'), foreign: callbackOf('another') };
  return {
    provider: make(shop),
    order,
    begun: (reference) => shop.begun(reference),
    sales,
    booked: (reference) => ({ asked: shop.asked.get(reference)!, taken: COST }),
    later: {
      order: () => {
        const later = order('delivers');
        shop.under.set(later.reference, 'under way');
        return later;
      },
      end: (reference, how) => void shop.under.set(reference, how),
      endings: ['delivered', 'failed', 'reversed'],
    },
    partly: () => {
      const part = order('delivers');
      shop.parts.add(part.reference);
      return { order: part, arrives: PART };
    },
    expireTokens: () => void (shop.isSignedIn = false),
    callbacks,
    patienceMs: 200,
  };
}

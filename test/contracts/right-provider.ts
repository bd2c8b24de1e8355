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
import type { Deed, Rig } from './rig';

interface Sale {
  readonly id: string;
  times: number;
}

/** The other side, without a network between. */
export class Shop {
  readonly deeds = new Map<string, Deed>();
  readonly sold = new Map<string, Sale>();
  readonly refused = new Set<string>();
  private readonly waiting = new Map<string, () => void>();

  /** What it answers; never, when it leaves one waiting. */
  sell(reference: string, signal: AbortSignal): Promise<string> {
    const deed = this.deeds.get(reference)!;
    if (deed === 'refuses') this.refused.add(reference);
    else if (!this.sold.has(reference)) this.sold.set(reference, { id: newId(), times: 1 });
    return this.answer(reference, deed, signal);
  }

  recall(reference: string, signal: AbortSignal): Promise<string> {
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
    if (this.refused.has(reference)) return 'no';
    return this.sold.get(reference)?.id ?? 'never heard of it';
  }
}

export const REFUSAL: NotDelivered = {
  outcome: 'not_delivered',
  code: 'barred',
  message: 'The number is barred.',
  recovery: 'recipient_must_act',
  retryElsewhere: false,
};
export const delivered = (providerReference: string): Delivered => ({
  outcome: 'delivered',
  providerReference,
  deliveredAmount: 5_000n,
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

  async purchase({ reference }: Order, signal: AbortSignal): Promise<ProviderResult> {
    const result = this.read(await this.shop.sell(reference, signal));
    return result.outcome === 'not_known' ? { outcome: 'unknown', code: 'unexpected' } : result;
  }

  async find({ reference }: Order, signal: AbortSignal): Promise<FindResult> {
    const answer = await this.shop.recall(reference, signal);
    const result = this.read(answer);
    if (result.outcome !== 'not_delivered') return result;
    return answer === 'no' ? { ...result, about: 'order' } : { outcome: 'unknown', code: 'account_locked' };
  }

  verify({ body, headers }: CallbackRequest): OrderCallback {
    return headers.signature === signatureOf(body, 'right') ? this.about(body) : { outcome: 'forged' };
  }

  about(body: Buffer): OrderCallback {
    const { reference } = JSON.parse(body.toString()) as { reference: string | null };
    return reference === null ? { outcome: 'other' } : { outcome: 'genuine', reference };
  }

  read(answer: string): ProviderResult | { outcome: 'not_known' } {
    if (answer === 'no') return REFUSAL;
    if (answer === 'account locked') return { ...REFUSAL, code: 'account_locked' };
    if (answer === 'never heard of it') return { outcome: 'not_known' };
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
      amount: 5_000n,
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
    callbacks,
    patienceMs: 200,
  };
}

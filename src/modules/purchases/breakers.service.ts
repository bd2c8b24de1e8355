import { Injectable, Logger } from '@nestjs/common';
import { BrokenCircuitError, CircuitBreakerPolicy, circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { Gauge } from 'prom-client';
import { registry } from '../../core/metrics/metrics';
import { type Order, type Product, ProviderOutage, type ProviderResult } from './purchases.types';

const FAILURES_IN_A_ROW = 5;
const HALF_OPEN_AFTER_MS = 15_000;
const BREAKERS_MAX = 10_000;

/** Tells the breaker of an answer that counts against the provider, and carries it out again. */
class Counted extends Error {
  constructor(readonly result: ProviderResult | null, cause?: unknown) {
    super('counted', { cause });
  }
}

interface Breaker {
  readonly policy: CircuitBreakerPolicy;
  openedAt: number;
}

const open = new Gauge({ name: 'provider_breaker_open', help: '1 while a provider is not asked.', labelNames: ['provider'], registers: [registry] });

/**
 * A breaker per provider: opens on outages and unknown outcomes in a row, lets one request through after a while. In test
 * mode each account has its own, and outcomes that its tester asked for do not count.
 */
@Injectable()
export class BreakersService {
  private readonly log = new Logger('breakers');
  private readonly breakers = new LRUCache<string, Breaker>({ max: BREAKERS_MAX });

  /** Whether the provider would be asked now. */
  isClosed(product: Product, name: string, owner: Pick<Order, 'accountId' | 'livemode'>): boolean {
    const breaker = this.breakers.get(keyOf(product, name, owner));
    return !breaker || breaker.policy.state !== CircuitState.Open || Date.now() - breaker.openedAt >= HALF_OPEN_AFTER_MS;
  }

  /** Runs `ask` under the provider's breaker. Throws what `ask` throws. */
  async run(product: Product, name: string, order: Order, ask: () => Promise<ProviderResult>): Promise<ProviderResult> {
    const { policy } = this.breakerOf(product, name, order);
    try {
      return await policy.execute(() => counted(ask, order.livemode));
    } catch (error) {
      if (error instanceof BrokenCircuitError) return { outcome: 'not_delivered', code: 'provider_unavailable', message: 'The provider is not asked at the moment.', recovery: 'retry_later', retryElsewhere: true };
      if (!(error instanceof Counted)) throw error;
      if (error.result) return error.result;
      throw error.cause;
    }
  }

  private breakerOf(product: Product, name: string, owner: Pick<Order, 'accountId' | 'livemode'>): Breaker {
    const key = keyOf(product, name, owner);
    const known = this.breakers.get(key);
    if (known) return known;
    const policy = circuitBreaker(handleType(Counted), { halfOpenAfter: HALF_OPEN_AFTER_MS, breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW) });
    const breaker: Breaker = { policy, openedAt: 0 };
    policy.onBreak(() => {
      breaker.openedAt = Date.now();
      if (owner.livemode) open.set({ provider: name }, 1);
      this.log.warn({ message: 'a provider is not asked for a while', provider: name, product, livemode: owner.livemode });
    });
    policy.onReset(() => {
      if (owner.livemode) open.set({ provider: name }, 0);
    });
    this.breakers.set(key, breaker);
    return breaker;
  }
}

const keyOf = (product: Product, name: string, { livemode, accountId }: Pick<Order, 'accountId' | 'livemode'>): string =>
  `${product}/${name}/${livemode ? 'live' : accountId}`;

async function counted(ask: () => Promise<ProviderResult>, livemode: boolean): Promise<ProviderResult> {
  let result: ProviderResult;
  try {
    result = await ask();
  } catch (error) {
    if (livemode || error instanceof ProviderOutage) throw new Counted(null, error);
    throw error;
  }
  if (livemode && result.outcome === 'unknown') throw new Counted(result);
  return result;
}

import { Injectable, Logger } from '@nestjs/common';
import {
  BrokenCircuitError,
  CircuitBreakerPolicy,
  circuitBreaker,
  CircuitState,
  handleType,
  SamplingBreaker,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { Gauge } from 'prom-client';
import { registry } from '../core/metrics/metrics';

/**
 * Opens when more than half of the calls of the last seconds failed, and at least five were made; of rare calls the
 * last ten count.
 */
const SAMPLE = { threshold: 0.5, duration: 10_000, minimumRps: 0.5 } as const;
const HALF_OPEN_AFTER_MS = 15_000;
const BREAKERS_MAX = 10_000;

/**
 * Throw it when a provider as a whole is away (refused connection, its own outage notice): counts against its breaker,
 * outcome unknown.
 */
export class ProviderOutage extends Error {}

/** What one breaker guards: one network at one provider. A network that is down there leaves the others alone. */
export interface Line {
  /** As `provider_routes` names it. */
  readonly product: string;
  readonly provider: string;
  /** As `provider_routes` names it: a biller's code, of cards the brand, of payments the currency. */
  readonly network: string;
  readonly livemode: boolean;
  readonly accountId: string;
}

/** Tells the breaker of an answer that counts against the provider, and carries it out again. */
class Counted extends Error {
  constructor(
    readonly result: unknown,
    cause?: unknown,
  ) {
    super('counted', { cause });
  }
}

interface Breaker {
  readonly policy: CircuitBreakerPolicy;
  openedAt: number;
}

const open = new Gauge({
  name: 'provider_breaker_open',
  help: '1 while a provider, issuer or gateway is not asked for a network.',
  labelNames: ['product', 'provider', 'network'],
  registers: [registry],
});

/**
 * A breaker per provider and network, also of issuers and gateways: opens on the share of outages and unknown
 * outcomes, lets one request through after a while. What is accepted there and under way counts as an answer. In test
 * mode each account has its own, and outcomes that its tester asked for do not count.
 */
@Injectable()
export class Breakers {
  private readonly log = new Logger('breakers');
  private readonly breakers = new LRUCache<string, Breaker>({ max: BREAKERS_MAX });

  /** Whether the provider would be asked now. */
  isClosed(line: Line): boolean {
    const breaker = this.breakers.get(keyOf(line));
    return (
      !breaker || breaker.policy.state !== CircuitState.Open || Date.now() - breaker.openedAt >= HALF_OPEN_AFTER_MS
    );
  }

  /** Runs `ask` under the line's breaker; null when it is open: nobody was asked. Throws what `ask` throws. */
  async run<R extends { readonly outcome: string }>(line: Line, ask: () => Promise<R>): Promise<R | null> {
    const { policy } = this.breakerOf(line);
    try {
      return await policy.execute(() => counted(ask, line.livemode));
    } catch (error) {
      if (error instanceof BrokenCircuitError) return null;
      if (!(error instanceof Counted)) throw error;
      if (error.result !== null) return error.result as R;
      throw error.cause;
    }
  }

  private breakerOf(line: Line): Breaker {
    const key = keyOf(line);
    const known = this.breakers.get(key);
    if (known) return known;
    const { product, provider, network, livemode } = line;
    const policy = circuitBreaker(handleType(Counted), {
      halfOpenAfter: HALF_OPEN_AFTER_MS,
      breaker: new SamplingBreaker(SAMPLE),
    });
    const breaker: Breaker = { policy, openedAt: 0 };
    policy.onBreak(() => {
      breaker.openedAt = Date.now();
      if (livemode) open.set({ product, provider, network }, 1);
      this.log.warn({ message: 'a provider is not asked for a while', product, provider, network, livemode });
    });
    policy.onReset(() => {
      if (livemode) open.set({ product, provider, network }, 0);
    });
    this.breakers.set(key, breaker);
    return breaker;
  }
}

const keyOf = ({ product, provider, network, livemode, accountId }: Line): string =>
  `${product}/${provider}/${network}/${livemode ? 'live' : accountId}`;

async function counted<R extends { readonly outcome: string }>(ask: () => Promise<R>, livemode: boolean): Promise<R> {
  let result: R;
  try {
    result = await ask();
  } catch (error) {
    if (livemode || error instanceof ProviderOutage) throw new Counted(null, error);
    throw error;
  }
  if (livemode && result.outcome === 'unknown') throw new Counted(result);
  return result;
}

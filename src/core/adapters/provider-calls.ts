import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { registry } from '../metrics/metrics';
import { faultCode } from './answers';
import { CallTally, type EndedCall } from './call-tally';

const duration = new Histogram({
  name: 'provider_call_seconds',
  help: 'Calls of providers, card issuers and payment gateways by what they answered.',
  labelNames: ['product', 'provider', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20],
  registers: [registry],
});

/** Whom a call is made to. */
export interface Called extends Omit<EndedCall, 'outcome' | 'milliseconds'> {
  /** Id of what it is about, for the log. */
  readonly about: string;
}

/** Nobody can say what became of it: the matter stays open. */
export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly code: string;
}

/** The other side took the order and is at it: asked again, and no sign that anything is wrong there. */
export interface AcceptedOutcome {
  readonly outcome: 'accepted';
}

/** Calls whoever is outside: timed, counted, and with each fault turned into an unknown outcome. Nothing is thrown. */
@Injectable()
export class ProviderCalls {
  private readonly log = new Logger('providers');

  constructor(private readonly tally: CallTally) {}

  /** `ask` keeps its own time limit. `otherwise`: the code of a fault that says no more. */
  async make<R extends { outcome: string }>(
    called: Called,
    ask: () => Promise<R>,
    otherwise = 'provider_error',
  ): Promise<R | UnknownOutcome> {
    const { product, provider, livemode, call } = called;
    const startedAt = performance.now();
    let result: R | UnknownOutcome;
    try {
      result = await ask();
    } catch (error) {
      this.log.warn({ message: 'a provider did not answer', ...called, err: error });
      result = { outcome: 'unknown', code: faultCode(error, otherwise) };
    }
    const milliseconds = performance.now() - startedAt;
    const { outcome } = result;
    duration.observe({ product, provider, call, outcome }, milliseconds / 1_000);
    this.tally.add({ product, provider, livemode, call, outcome, milliseconds });
    return result;
  }
}

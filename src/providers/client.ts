import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { Extensions } from '../core/extension/extensions';
import type { OnErrorContext } from '../core/extension/points';
import { registry } from '../core/metrics/metrics';
import { within } from '../core/process/within';
import { faultCode, type UnknownOutcome } from './answers';
import { Breakers, type Line } from './breakers';
import { CallTally } from './call-tally';
import { Registry, type RoutedProduct } from './registry';

/** How long an answer is waited for. */
export const CALL_TIMEOUT_MS = 20_000;
/** A process that dies while it asks leaves the matter to whoever looks after this time. */
export const ABANDONED_AFTER_MS = CALL_TIMEOUT_MS + 10_000;

/** What somebody outside is asked about. */
export interface Matter extends Line {
  readonly product: RoutedProduct;
  /** For the log. */
  readonly id: string;
}

/** A call of a port. No database transaction is open. */
export interface Question<Port, Answer extends { readonly outcome: string }> {
  /** `purchase`, `find`, …: for those who look after providers. */
  readonly call: string;
  readonly ask: (adapter: Port, signal: AbortSignal) => Promise<unknown>;
  /** What the adapter returned, as far as it can be trusted. */
  readonly parse: (value: unknown) => Answer;
  readonly timeoutMs?: number;
  /** What holds while the breaker is open and nobody is asked. Without it the breaker has no say: of requeries. */
  readonly whenOpen?: Answer | UnknownOutcome;
  /** What `svc_on_error` hears beside the error, when the call is refused or nobody can say. */
  readonly context?: Omit<OnErrorContext, 'error'>;
}

/** From which something follows that observers of errors want to know. */
const FAULTS: ReadonlySet<string> = new Set(['refused', 'not_delivered', 'not_started', 'failed', 'unknown']);

const MISSING: UnknownOutcome = { outcome: 'unknown', code: 'provider_missing' };

const duration = new Histogram({
  name: 'provider_call_seconds',
  help: 'Calls of providers, card issuers and payment gateways by what they answered.',
  labelNames: ['product', 'provider', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20],
  registers: [registry],
});

/**
 * Asks whoever is outside: by the clock, under the breaker, timed and counted. Whatever happens there is one of the
 * outcomes of the question, or unknown: nothing is thrown.
 */
@Injectable()
export class Client {
  private readonly log = new Logger('providers');

  constructor(
    private readonly registry: Registry,
    private readonly breakers: Breakers,
    private readonly tally: CallTally,
    private readonly extensions: Extensions,
  ) {}

  async ask<Port, Answer extends { readonly outcome: string }>(
    about: Matter,
    question: Question<Port, Answer>,
  ): Promise<Answer | UnknownOutcome> {
    const { product, provider, livemode } = about;
    const adapter = this.registry.findOf<Port>(product, provider, livemode)?.adapter;
    // A release without the adapter: the question stays open.
    const result = adapter === undefined ? MISSING : await this.timed(about, question, adapter);
    const { outcome } = result;
    if (question.context && FAULTS.has(outcome)) {
      const { code = outcome, message = 'nobody can say yet' } = result as { code?: string; message?: string };
      this.extensions.onError({
        ...question.context,
        error: { stage: 'provider', by: provider, code, message, outcome },
      });
    }
    return result;
  }

  private async timed<Port, Answer extends { readonly outcome: string }>(
    about: Matter,
    { call, ask, parse, whenOpen, timeoutMs = CALL_TIMEOUT_MS }: Question<Port, Answer>,
    adapter: Port,
  ): Promise<Answer | UnknownOutcome> {
    const { product, provider, livemode, network, id } = about;
    const asked = async () => parse(await within(timeoutMs, (signal) => ask(adapter, signal)));
    const startedAt = performance.now();
    let result: Answer | UnknownOutcome;
    try {
      result = whenOpen === undefined ? await asked() : ((await this.breakers.run(about, asked)) ?? whenOpen);
    } catch (error) {
      this.log.warn({
        message: 'a provider did not answer',
        product,
        provider,
        network,
        livemode,
        call,
        about: id,
        err: error,
      });
      result = { outcome: 'unknown', code: faultCode(error, 'provider_error') };
    }
    const milliseconds = performance.now() - startedAt;
    const { outcome } = result;
    duration.observe({ product, provider, call, outcome }, milliseconds / 1_000);
    this.tally.add({ product, provider, livemode, call, outcome, milliseconds });
    return result;
  }
}

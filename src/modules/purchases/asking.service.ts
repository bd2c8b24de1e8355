import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { faultCode } from '../../core/adapters/answers';
import { Extensions } from '../../core/extension/extensions';
import { registry } from '../../core/metrics/metrics';
import { within } from '../../core/process/within';
import { BreakersService } from './breakers.service';
import { asFindResult, asProviderResult } from './provider-answers.batch';
import { ProvidersService } from './providers.service';
import { OPERATIONS } from './purchase-draft.batch';
import { CALL_TIMEOUT_MS, orderOf, type Running } from './purchase-step.batch';
import type { FindResult, Provider, ProviderResult } from './purchases.types';

const duration = new Histogram({
  name: 'provider_call_seconds', help: 'Calls of providers by what they answered.', labelNames: ['provider', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20], registers: [registry],
});

/** Speaks with providers. Whatever happens there is one of the outcomes here: nothing is thrown. */
@Injectable()
export class AskingService {
  private readonly log = new Logger('providers');

  constructor(
    private readonly providers: ProvidersService,
    private readonly breakers: BreakersService,
    private readonly extensions: Extensions,
  ) {}

  /** Whether a provider would be asked now: this build has it and its breaker is closed. */
  isPossible({ product, livemode, accountId }: Pick<Running['purchase'], 'product' | 'livemode' | 'accountId'>, name: string): boolean {
    return this.providers.find(product, name, livemode) !== null && this.breakers.isClosed(product, name, { accountId, livemode });
  }

  /** Asks the attempt's provider to sell. */
  async purchase(running: Running): Promise<ProviderResult> {
    const { product, livemode } = running.purchase;
    const name = running.attempt!.provider;
    const order = orderOf(running);
    const result = await this.call(running, 'purchase', async (provider) =>
      this.breakers.run(product, name, order, async () => asProviderResult(await within(CALL_TIMEOUT_MS, (signal) => provider.purchase(order, signal)))), livemode);
    if (result.outcome !== 'delivered') this.report(running, result);
    return result as ProviderResult;
  }

  /** Asks the attempt's provider what became of it. */
  find(running: Running): Promise<FindResult> {
    const order = orderOf(running);
    return this.call(running, 'find', async (provider) => asFindResult(await within(CALL_TIMEOUT_MS, (signal) => provider.find(order, signal))), order.livemode);
  }

  private async call<R extends FindResult>(running: Running, call: string, ask: (provider: Provider) => Promise<R>, livemode: boolean): Promise<R | ProviderResult> {
    const { provider: name } = running.attempt!;
    const provider = this.providers.find(running.purchase.product, name, livemode);
    // A release without the adapter: the question stays open.
    if (provider === null) return { outcome: 'unknown', code: 'provider_missing' };
    const end = duration.startTimer({ provider: name, call });
    let result: R | ProviderResult;
    try {
      result = await ask(provider);
    } catch (error) {
      this.log.warn({ message: 'a provider did not answer', provider: name, call, purchase: running.purchase.id, err: error });
      result = { outcome: 'unknown', code: faultCode(error, 'provider_error') };
    }
    end({ outcome: result.outcome });
    return result;
  }

  private report({ transaction: t, purchase, attempt }: Running, result: ProviderResult): void {
    const { outcome, code } = result as Exclude<ProviderResult, { outcome: 'delivered' }>;
    this.extensions.onError({
      operation: OPERATIONS[purchase.product], accountId: t.accountId, livemode: t.livemode, requestId: purchase.requestId, dryRun: false,
      draft: { transactionId: t.id, amount: t.amount, currency: t.currency, walletId: t.walletId, recipient: t.recipient, network: purchase.network, reference: t.reference, metadata: t.metadata },
      error: { stage: 'provider', by: attempt!.provider, code, message: 'message' in result ? result.message : 'nobody can say yet', outcome },
    });
  }
}

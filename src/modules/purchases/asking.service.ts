import { Injectable } from '@nestjs/common';
import { ProviderCalls } from '../../core/adapters/provider-calls';
import { Extensions } from '../../core/extension/extensions';
import { within } from '../../core/process/within';
import { BreakersService } from './breakers.service';
import { asFindResult, asProviderResult } from './provider-answers.batch';
import { ProvidersService } from './providers.service';
import { OPERATIONS } from './purchase-draft.batch';
import { CALL_TIMEOUT_MS, orderOf, type Running } from './purchase-step.batch';
import type { FindResult, Provider, ProviderResult, Unknown } from './purchases.types';

/** Speaks with providers. Whatever happens there is one of the outcomes here: nothing is thrown. */
@Injectable()
export class AskingService {
  constructor(
    private readonly providers: ProvidersService,
    private readonly breakers: BreakersService,
    private readonly extensions: Extensions,
    private readonly calls: ProviderCalls,
  ) {}

  /** Whether a provider would be asked now: this build has it and its breaker is closed. */
  isPossible({ product, livemode, accountId }: Pick<Running['purchase'], 'product' | 'livemode' | 'accountId'>, name: string): boolean {
    return this.providers.find(product, name, livemode) !== null && this.breakers.isClosed(product, name, { accountId, livemode });
  }

  /** Asks the attempt's provider to sell. */
  async purchase(running: Running): Promise<ProviderResult> {
    const { product } = running.purchase;
    const name = running.attempt!.provider;
    const order = orderOf(running);
    const result = await this.call(running, 'purchase', async (provider) =>
      this.breakers.run(product, name, order, async () => asProviderResult(await within(CALL_TIMEOUT_MS, (signal) => provider.purchase(order, signal)))));
    if (result.outcome !== 'delivered') this.report(running, result);
    return result as ProviderResult;
  }

  /** Asks the attempt's provider what became of it. */
  find(running: Running): Promise<FindResult> {
    const order = orderOf(running);
    return this.call(running, 'find', async (provider) => asFindResult(await within(CALL_TIMEOUT_MS, (signal) => provider.find(order, signal))));
  }

  private async call<R extends { outcome: string }>({ purchase, attempt }: Running, call: string, ask: (provider: Provider) => Promise<R>): Promise<R | Unknown> {
    const { product, livemode, id } = purchase;
    const { provider: name } = attempt!;
    const provider = this.providers.find(product, name, livemode);
    // A release without the adapter: the question stays open.
    if (provider === null) return { outcome: 'unknown', code: 'provider_missing' };
    return this.calls.make({ product, provider: name, livemode, call, about: id }, () => ask(provider));
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

import { Injectable, Logger } from '@nestjs/common';
import { Breakers, type Line } from '../../core/adapters/breakers';
import { ProviderCalls } from '../../core/adapters/provider-calls';
import { Extensions } from '../../core/extension/extensions';
import { within } from '../../core/process/within';
import { asFindResult, asProviderResult } from './provider-answers.batch';
import { type NamedProvider, ProvidersService } from './providers.service';
import { OPERATIONS } from './purchase-draft.batch';
import { CALL_TIMEOUT_MS, orderOf, type Running } from './purchase-step.batch';
import type { FindResult, NotDelivered, Order, Product, Provider, ProviderResult, Unknown } from './purchases.types';

/** How long the question before a sale may take. */
const CAN_SELL_TIMEOUT_MS = 2_000;

/** The breaker was opened since the route was chosen. */
const NOT_ASKED: NotDelivered = {
  outcome: 'not_delivered',
  code: 'provider_unavailable',
  message: 'The provider is not asked at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

/** Speaks with providers. Whatever happens there is one of the outcomes here: nothing is thrown. */
@Injectable()
export class AskingService {
  private readonly log = new Logger('providers');

  constructor(
    private readonly providers: ProvidersService,
    private readonly breakers: Breakers,
    private readonly extensions: Extensions,
    private readonly calls: ProviderCalls,
  ) {}

  /** Whether a provider would be asked now: this build has it and its breaker is closed. */
  isPossible(asked: Omit<Line, 'provider'> & { readonly product: Product }, provider: string): boolean {
    const { product, network, livemode, accountId } = asked;
    return (
      this.providers.find(product, provider, livemode) !== null &&
      this.breakers.isClosed({ product, provider, network, livemode, accountId })
    );
  }

  /** Whether a provider says that it could sell this now. One that fails or takes its time could not. */
  async canSell({ name, provider }: NamedProvider, order: Omit<Order, 'reference' | 'options'>): Promise<boolean> {
    if (provider.canSell === undefined) return true;
    try {
      const answer = provider.canSell(order);
      return (typeof answer === 'boolean' ? answer : await within(CAN_SELL_TIMEOUT_MS, () => answer)) === true;
    } catch (error) {
      this.log.warn({
        message: 'a provider does not say whether it can sell, and is left out',
        provider: name,
        err: error,
      });
      return false;
    }
  }

  /** Asks the attempt's provider to sell. */
  async purchase(running: Running): Promise<ProviderResult> {
    const { product, network, livemode, accountId } = running.purchase;
    const name = running.attempt!.provider;
    const order = orderOf(running);
    const line = { product, provider: name, network, livemode, accountId };
    const result = await this.call(
      running,
      'purchase',
      async (provider) =>
        (await this.breakers.run(line, async () =>
          asProviderResult(await within(CALL_TIMEOUT_MS, (signal) => provider.purchase(order, signal))),
        )) ?? NOT_ASKED,
    );
    if (result.outcome !== 'delivered' && result.outcome !== 'accepted') this.report(running, result);
    return result as ProviderResult;
  }

  /** Asks the attempt's provider what became of it. */
  find(running: Running): Promise<FindResult> {
    const order = orderOf(running);
    return this.call(running, 'find', async (provider) =>
      asFindResult(await within(CALL_TIMEOUT_MS, (signal) => provider.find(order, signal))),
    );
  }

  private async call<R extends { outcome: string }>(
    { purchase, attempt }: Running,
    call: string,
    ask: (provider: Provider) => Promise<R>,
  ): Promise<R | Unknown> {
    const { product, livemode, id } = purchase;
    const { provider: name } = attempt!;
    const provider = this.providers.find(product, name, livemode);
    // A release without the adapter: the question stays open.
    if (provider === null) return { outcome: 'unknown', code: 'provider_missing' };
    return this.calls.make({ product, provider: name, livemode, call, about: id }, () => ask(provider));
  }

  private report({ transaction: t, purchase, attempt }: Running, result: ProviderResult): void {
    const { outcome, code } = result as NotDelivered | Unknown;
    this.extensions.onError({
      operation: OPERATIONS[purchase.product],
      accountId: t.accountId,
      livemode: t.livemode,
      requestId: purchase.requestId,
      dryRun: false,
      draft: {
        transactionId: t.id,
        amount: t.amount,
        currency: t.currency,
        walletId: t.walletId,
        recipient: t.recipient,
        network: purchase.network,
        reference: t.reference,
        metadata: t.metadata,
      },
      error: {
        stage: 'provider',
        by: attempt!.provider,
        code,
        message: 'message' in result ? result.message : 'nobody can say yet',
        outcome,
      },
    });
  }
}

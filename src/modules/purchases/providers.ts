import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  codeOf,
  fieldsOf,
  type Given,
  isObject,
  isReference,
  NOT_ABOUT_ORDER,
  recoveryOf,
  scrub,
} from '../../providers/answers';
import { Breakers, type Line } from '../../providers/breakers';
import { marked, requireAdapterName } from '../../providers/marked';
import { ProviderCalls } from '../../providers/provider-calls';
import { Extensions } from '../../core/extension/extensions';
import { AMOUNT_MAX } from '../../core/money/money';
import { within } from '../../core/process/within';
import { Routes } from '../../providers/routes';
import {
  type Delivered,
  type FindResult,
  type NotDelivered,
  type Order,
  type Product,
  PRODUCTS,
  type Provider,
  type ProviderResult,
  SELLS,
  type Sold,
  type Unknown,
} from './purchases.provider';
import { CALL_TIMEOUT_MS, OPERATIONS, orderOf, type Running } from './running';

export interface NamedProvider {
  readonly name: string;
  readonly provider: Provider;
}

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

/**
 * Every provider of the process, found by its decorator; two of one product with one name stop the boot. Whatever
 * happens there when one is asked is one of the outcomes of the port: nothing is thrown.
 */
@Injectable()
export class Providers implements OnModuleInit {
  private readonly log = new Logger('providers');
  private readonly providers = new Map<string, Sold & { readonly provider: Provider }>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly routes: Routes,
    private readonly breakers: Breakers,
    private readonly calls: ProviderCalls,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    for (const { mark, adapter, className } of marked<Sold[], Provider>(this.discovery, SELLS)) {
      for (const sold of mark) this.add(sold, adapter, className);
    }
    for (const product of PRODUCTS) {
      const live = [...this.providers.values()]
        .filter((sold) => sold.product === product && sold.mode === 'live')
        .map(({ name }) => name)
        .sort((a, b) => a.localeCompare(b));
      if (live.length === 0)
        this.log.warn(
          `no provider sells ${product} in live mode: such requests are answered with provider_unavailable`,
        );
      else this.log.log(`${product} is sold in live mode by ${live.join(', ')}`);
    }
  }

  /** In the order in which they are asked: those that the routes name and this build has, whose breaker is closed. */
  async inOrder(
    product: Product,
    network: string,
    owner: Pick<Order, 'accountId' | 'livemode'>,
  ): Promise<NamedProvider[]> {
    const { livemode, accountId } = owner;
    const routes = await this.routes.inOrder({ product, network, livemode });
    return routes.flatMap(({ provider: name }) => {
      const provider = this.adapterOf(product, name, livemode);
      return provider && this.breakers.isClosed({ product, provider: name, network, livemode, accountId })
        ? [{ name, provider }]
        : [];
    });
  }

  /** Whether some provider would be asked for this network or biller now: registered, routed, breaker closed. */
  async isAvailable(
    product: Product,
    network: string,
    viewer: Pick<Order, 'accountId' | 'livemode'>,
  ): Promise<boolean> {
    return (await this.inOrder(product, network, viewer)).length > 0;
  }

  /** Whether a provider would be asked now: this build has it and its breaker is closed. */
  isPossible(asked: Omit<Line, 'provider'> & { readonly product: Product }, provider: string): boolean {
    const { product, network, livemode, accountId } = asked;
    return (
      this.adapterOf(product, provider, livemode) !== null &&
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
    const provider = this.adapterOf(product, name, livemode);
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
      objectType: 'txn',
      objectId: t.id,
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

  /** By name; null when this build does not have it, or only for the other mode. */
  private adapterOf(product: Product, name: string, livemode: boolean): Provider | null {
    const found = this.providers.get(`${product}/${name}`);
    return found && (found.mode === 'live') === livemode ? found.provider : null;
  }

  private add(sold: Sold, provider: Provider, className: string): void {
    const key = `${sold.product}/${sold.name}`;
    requireAdapterName(sold.name, className);
    if (this.providers.has(key))
      throw new Error(`two providers of ${sold.product} are called "${sold.name}"; the second is ${className}`);
    this.providers.set(key, { ...sold, provider });
  }
}

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asProviderResult(value: unknown): ProviderResult {
  const given = fieldsOf(value);
  if (given.outcome === 'delivered') return asDelivered(given);
  if (given.outcome === 'not_delivered') return asNotDelivered(given);
  if (given.outcome === 'accepted')
    return {
      outcome: 'accepted',
      ...(isReference(given.providerReference) && { providerReference: given.providerReference }),
    };
  return {
    outcome: 'unknown',
    code: given.outcome === 'unknown' ? codeOf(given.code, 'unknown') : 'unparsable_answer',
  };
}

export function asFindResult(value: unknown): FindResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_known') return { outcome: 'not_known' };
  if (given.outcome === 'reversed')
    return { outcome: 'reversed', code: codeOf(given.code, 'reversed_by_provider'), message: scrub(given.message) };
  if (given.outcome !== 'not_delivered') return asProviderResult(value) as Exclude<ProviderResult, NotDelivered>;
  return given.about === 'order'
    ? { ...asNotDelivered(given), about: 'order' }
    : { outcome: 'unknown', code: NOT_ABOUT_ORDER };
}

function asDelivered(given: Given): ProviderResult {
  const { providerReference, deliveredAmount, details, secrets, recheckAfterMs } = given;
  // Without a reference nobody could prove the delivery later; what arrived is an amount, or it is not known.
  const isProven =
    isReference(providerReference) &&
    isAmount(deliveredAmount) &&
    !(isObject(details) && 'delivered_amount' in details);
  if (!isProven) return { outcome: 'unknown', code: 'unparsable_answer' };
  const delivered: Delivered = { outcome: 'delivered', providerReference };
  return {
    ...delivered,
    ...(deliveredAmount !== undefined && { deliveredAmount }),
    ...(isObject(details) && { details }),
    ...(isObject(secrets) && { secrets }),
    ...(typeof recheckAfterMs === 'number' && recheckAfterMs >= 0 && { recheckAfterMs }),
  };
}

const isAmount = (value: unknown): value is bigint | undefined =>
  value === undefined || (typeof value === 'bigint' && value > 0n && value <= AMOUNT_MAX);

function asNotDelivered({ code, message, recovery, retryElsewhere }: Given): NotDelivered {
  return {
    outcome: 'not_delivered',
    code: codeOf(code, 'provider_refused'),
    message: scrub(message),
    recovery: recoveryOf(recovery),
    retryElsewhere: retryElsewhere === true,
  };
}

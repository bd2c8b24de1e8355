import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Breakers } from '../../../providers/breakers';
import { marked, requireAdapterName } from '../../../providers/marked';
import { Extensions } from '../../../core/extension/extensions';
import type { PaymentContext } from '../../../core/extension/points';
import type { Currency } from '../../../core/money/currencies';
import { Routes } from '../../../providers/routes';
import { type Gateway, type GatewaySettings, TAKES } from '../gateway';
import { GatewayUnavailable, InvalidPayment } from '../payments.errors';

/** A gateway that this build has. */
export interface NamedGateway extends GatewaySettings {
  readonly gateway: Gateway;
}

/** Between which gateways the payer may choose. */
export interface Offer {
  /** In order. */
  readonly names: readonly string[];
  /** By gateway, where a filter set some. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What filters changed. */
  readonly changes: readonly object[];
}

/** Every class that is marked with `TakesPayments`. A wrong or double name stops the boot. */
@Injectable()
export class GatewaysService implements OnModuleInit {
  private readonly log = new Logger('payments');
  private readonly gateways = new Map<string, NamedGateway>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly routes: Routes,
    private readonly breakers: Breakers,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    for (const { mark, adapter, className } of marked<GatewaySettings, Gateway>(this.discovery, TAKES))
      this.add({ ...mark, gateway: adapter }, className);
    const live = [...this.gateways.values()].filter(({ mode }) => mode === 'live').map(({ name }) => name);
    if (live.length === 0)
      this.log.warn('no gateway takes payments in live mode: such requests are answered with provider_unavailable');
    else this.log.log(`payments are taken in live mode by ${live.join(', ')}`);
  }

  /** By name; null when this build does not have it. */
  find(name: string): NamedGateway | null {
    return this.gateways.get(name) ?? null;
  }

  /**
   * Those that can take a payment now, in order, after the filters of `svc_payment_gateway`. Throws
   * `GatewayUnavailable` when none is left, `InvalidPayment` when `wanted` is none of them.
   */
  async offer(context: PaymentContext, wanted: string | null): Promise<Offer> {
    const {
      livemode,
      accountId,
      draft: { currency },
    } = context;
    const routes = await this.routes.inOrder({ product: 'payment', network: currency, livemode });
    const registered = routes.filter(
      ({ provider }) =>
        this.findFor(provider, livemode, currency) !== null &&
        this.breakers.isClosed({ product: 'payment', provider, network: currency, livemode, accountId }),
    );
    const { value: choices, changes } = await this.extensions.gateways(
      registered.map(({ provider: name }) => ({ name, options: {} })),
      context,
    );
    if (choices.length === 0) throw this.unavailable(context);
    const names = choices.map(({ name }) => name);
    if (wanted !== null && !names.includes(wanted))
      throw new InvalidPayment('/gateway', `gateway must be one of ${names.join(', ')}.`);
    const options = Object.fromEntries(
      choices.filter((choice) => Object.keys(choice.options).length > 0).map((choice) => [choice.name, choice.options]),
    );
    return { names, options, changes: changes.map((change) => ({ kind: 'gateway_filter', ...change })) };
  }

  private add(gateway: NamedGateway, className: string): void {
    const { name } = gateway;
    requireAdapterName(name, className);
    if (this.gateways.has(name)) throw new Error(`two gateways are called "${name}"; the second is ${className}`);
    this.gateways.set(name, gateway);
  }

  /** Also null when it is one for the other mode, or not for the currency. */
  private findFor(name: string, livemode: boolean, currency: Currency): NamedGateway | null {
    const found = this.find(name);
    if (found === null || (found.mode === 'live') !== livemode) return null;
    return !found.currencies?.length || found.currencies.includes(currency) ? found : null;
  }

  private unavailable(context: PaymentContext): GatewayUnavailable {
    const { currency } = context.draft;
    const error = {
      stage: 'platform',
      code: 'provider_unavailable',
      message: `no gateway takes payments in ${currency} now`,
    } as const;
    this.log.error({ message: error.message, livemode: context.livemode });
    this.extensions.onError({ ...context, error });
    return new GatewayUnavailable(currency);
  }
}

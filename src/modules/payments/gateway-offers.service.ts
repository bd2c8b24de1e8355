import { Injectable, Logger } from '@nestjs/common';
import { Breakers } from '../../core/adapters/breakers';
import { Extensions } from '../../core/extension/extensions';
import type { Filtered, GatewayChoice, PaymentContext } from '../../core/extension/points';
import { RoutesService } from '../terms/routes.service';
import { GatewaysService } from './gateways.service';
import { GatewayUnavailable, InvalidPayment } from './payments.errors';

/** Between which gateways the payer may choose. */
export interface Offer {
  /** In order. */
  readonly names: readonly string[];
  /** By gateway, where a filter set some. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What filters changed. */
  readonly changes: readonly object[];
}

/** Finds out which gateways can take a payment, in which order. */
@Injectable()
export class GatewayOffers {
  private readonly log = new Logger('payments');

  constructor(
    private readonly routes: RoutesService,
    private readonly gateways: GatewaysService,
    private readonly breakers: Breakers,
    private readonly extensions: Extensions,
  ) {}

  /** After the filters of `svc_payment_gateway`. Throws `GatewayUnavailable` when none is left, `InvalidPayment` when `wanted` is none of them. */
  async of(context: PaymentContext, wanted: string | null): Promise<Offer> {
    const {
      livemode,
      accountId,
      draft: { currency },
    } = context;
    const routes = await this.routes.inOrder({ product: 'payment', network: currency, livemode });
    const registered = routes.filter(
      ({ provider }) =>
        this.gateways.findFor(provider, livemode, currency) !== null &&
        this.breakers.isClosed({ product: 'payment', provider, network: currency, livemode, accountId }),
    );
    const { value: choices, changes } = await this.chosen(
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

  private async chosen(
    candidates: readonly GatewayChoice[],
    context: PaymentContext,
  ): Promise<Filtered<readonly GatewayChoice[]>> {
    if (this.extensions.isEmpty('svc_payment_gateway', 'payment')) return { value: candidates, changes: [] };
    return this.extensions.gateways(candidates, context);
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

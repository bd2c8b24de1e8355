import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Extensions } from '../../core/extension/extensions';
import type { Filtered, GatewayChoice, PaymentContext } from '../../core/extension/points';
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

/** By the table `provider_routes`: the currency's own rows before those of `*`. */
const SELECT_ROUTES = `
  SELECT provider FROM provider_routes
   WHERE product = 'payment' AND livemode = $1 AND enabled AND network = CASE
     WHEN EXISTS (SELECT FROM provider_routes WHERE product = 'payment' AND livemode = $1 AND network = $2) THEN $2 ELSE '*' END
   ORDER BY position, provider`;

/** Finds out which gateways can take a payment, in which order. */
@Injectable()
export class GatewayOffers {
  private readonly log = new Logger('payments');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: GatewaysService,
    private readonly extensions: Extensions,
  ) {}

  /** After the filters of `svc_payment_gateway`. Throws `GatewayUnavailable` when none is left, `InvalidPayment` when `wanted` is none of them. */
  async of(context: PaymentContext, wanted: string | null): Promise<Offer> {
    const { livemode, draft: { currency } } = context;
    const rows: { provider: string }[] = await this.dataSource.query(SELECT_ROUTES, [livemode, currency]);
    const registered = rows.filter(({ provider }) => this.gateways.findFor(provider, livemode, currency) !== null);
    const { value: choices, changes } = await this.chosen(registered.map(({ provider: name }) => ({ name, options: {} })), context);
    if (choices.length === 0) throw this.unavailable(context);
    const names = choices.map(({ name }) => name);
    if (wanted !== null && !names.includes(wanted)) throw new InvalidPayment('/gateway', `gateway must be one of ${names.join(', ')}.`);
    const options = Object.fromEntries(choices.filter((choice) => Object.keys(choice.options).length > 0).map((choice) => [choice.name, choice.options]));
    return { names, options, changes: changes.map((change) => ({ kind: 'gateway_filter', ...change })) };
  }

  private async chosen(candidates: readonly GatewayChoice[], context: PaymentContext): Promise<Filtered<readonly GatewayChoice[]>> {
    if (this.extensions.isEmpty('svc_payment_gateway', 'payment')) return { value: candidates, changes: [] };
    return this.extensions.gateways(candidates, context);
  }

  private unavailable(context: PaymentContext): GatewayUnavailable {
    const { currency } = context.draft;
    const error = { stage: 'platform', code: 'provider_unavailable', message: `no gateway takes payments in ${currency} now` } as const;
    this.log.error({ message: error.message, livemode: context.livemode });
    this.extensions.onError({ ...context, error });
    return new GatewayUnavailable(currency);
  }
}

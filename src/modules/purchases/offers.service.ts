import { Injectable, Logger } from '@nestjs/common';
import { Extensions } from '../../core/extension/extensions';
import type { Filtered, GatewayChoice, PaymentContext } from '../../core/extension/points';
import type { Viewer } from '../../core/resources/resources';
import { AskingService } from './asking.service';
import { ProviderUnavailable } from './purchases.errors';
import type { NewPurchase, Product, Route } from './purchases.types';
import { RoutingService } from './routing.service';
import { SandboxOperator } from './sandbox-operator.service';

/** Finds out who can sell an order now. */
@Injectable()
export class OffersService {
  private readonly log = new Logger('purchases');

  constructor(
    private readonly routing: RoutingService,
    private readonly asking: AskingService,
    private readonly extensions: Extensions,
    private readonly sandbox: SandboxOperator,
  ) {}

  /** Whether some provider would be asked for this network or biller now. */
  async isAvailable(product: Product, network: string, viewer: Viewer): Promise<boolean> {
    return (await this.routing.inOrder(product, network, viewer)).length > 0;
  }

  /** The order with its scenario, which only test mode has. Throws `InvalidScenario`. */
  steered({ livemode }: Viewer, order: NewPurchase): NewPurchase {
    if (livemode) return { ...order, scenario: null };
    this.sandbox.assertScenario(order.scenario);
    return order;
  }

  /**
   * The providers to ask, after the filters of `svc_payment_gateway`. One that could not sell this now, or whose breaker is
   * open, is left out. Throws `ProviderUnavailable` when nobody is left.
   */
  async routeOf(order: NewPurchase, context: PaymentContext): Promise<Route> {
    const { accountId, livemode } = context;
    const { product, network, amount, currency, item, scenario } = order;
    const candidates = await this.routing.inOrder(product, network, { accountId, livemode });
    const { value: choices, changes } = await this.chosen(
      candidates.map(({ name }) => ({ name, options: {} })),
      context,
    );
    const query = { accountId, livemode, purchaseId: '', amount, currency, item, scenario };
    const able: GatewayChoice[] = [];
    for (const choice of choices) {
      const candidate = candidates.find(({ name }) => name === choice.name);
      if (candidate && (await this.asking.canSell(candidate, query))) able.push(choice);
    }
    if (able.length === 0) throw this.unavailable(network, context);
    const options = Object.fromEntries(
      able.filter((choice) => Object.keys(choice.options).length > 0).map((choice) => [choice.name, choice.options]),
    );
    return { names: able.map(({ name }) => name), options, changes };
  }

  private async chosen(
    candidates: readonly GatewayChoice[],
    context: PaymentContext,
  ): Promise<Filtered<readonly GatewayChoice[]>> {
    if (this.extensions.isEmpty('svc_payment_gateway', context.operation)) return { value: candidates, changes: [] };
    return this.extensions.gateways(candidates, context);
  }

  private unavailable(
    network: string,
    { operation, accountId, livemode, requestId, dryRun, draft }: PaymentContext,
  ): ProviderUnavailable {
    const error = {
      stage: 'platform',
      code: 'provider_unavailable',
      message: `nobody can sell for ${network} now`,
    } as const;
    this.log.error({ message: error.message, operation, livemode });
    this.extensions.onError({ operation, accountId, livemode, requestId, dryRun, draft, error });
    return new ProviderUnavailable(network);
  }
}

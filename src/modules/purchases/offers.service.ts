import { Injectable, Logger } from '@nestjs/common';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Viewer } from '../../core/resources/resources';
import { ProviderUnavailable } from './purchases.errors';
import type { NewPurchase, Order, Product } from './purchases.types';
import { RoutingService } from './routing.service';
import { SandboxOperator } from './sandbox-operator.service';

/** Finds out who can sell an order now. */
@Injectable()
export class OffersService {
  private readonly log = new Logger('purchases');

  constructor(
    private readonly routing: RoutingService,
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
   * Names of the providers to ask, in order, after the filters of `svc_payment_gateway`. One that could not sell this now,
   * or whose breaker is open, is left out. Throws `ProviderUnavailable` when nobody is left.
   */
  async routeOf(order: NewPurchase, context: PaymentContext): Promise<string[]> {
    const { accountId, livemode } = context;
    const { product, network, amount, currency, item, scenario } = order;
    let candidates = await this.routing.inOrder(product, network, { accountId, livemode });
    if (!this.extensions.isEmpty('svc_payment_gateway')) {
      const { value } = await this.extensions.gateways(candidates.map(({ name }) => ({ name, options: {} })), context);
      candidates = value.flatMap(({ name }) => candidates.filter((candidate) => candidate.name === name));
    }
    const query: Omit<Order, 'reference'> = { accountId, livemode, purchaseId: '', amount, currency, item, scenario };
    const able: string[] = [];
    for (const { name, provider } of candidates) {
      if (provider.canSell === undefined || (await provider.canSell(query))) able.push(name);
    }
    if (able.length === 0) throw this.unavailable(network, context);
    return able;
  }

  private unavailable(network: string, { operation, accountId, livemode, requestId, dryRun, draft }: PaymentContext): ProviderUnavailable {
    const error = { stage: 'platform', code: 'provider_unavailable', message: `nobody can sell for ${network} now` } as const;
    this.log.error({ message: error.message, operation, livemode });
    this.extensions.onError({ operation, accountId, livemode, requestId, dryRun, draft, error });
    return new ProviderUnavailable(network);
  }
}

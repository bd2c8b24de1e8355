import { Injectable } from '@nestjs/common';
import { Breakers } from '../../core/adapters/breakers';
import { RoutesService } from '../terms/routes.service';
import { type NamedProvider, ProvidersService } from './providers.service';
import type { Order, Product } from './purchases.types';

/** In which order providers are asked. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly routes: RoutesService,
    private readonly providers: ProvidersService,
    private readonly breakers: Breakers,
  ) {}

  /** Providers that this build has and the routes name, whose breaker is closed.  */
  async inOrder(
    product: Product,
    network: string,
    owner: Pick<Order, 'accountId' | 'livemode'>,
  ): Promise<NamedProvider[]> {
    const { livemode, accountId } = owner;
    const routes = await this.routes.inOrder({ product, network, livemode });
    return routes.flatMap(({ provider: name }) => {
      const provider = this.providers.find(product, name, livemode);
      return provider && this.breakers.isClosed({ product, provider: name, network, livemode, accountId })
        ? [{ name, provider }]
        : [];
    });
  }
}

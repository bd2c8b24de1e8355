import { Injectable } from '@nestjs/common';
import { RoutesService } from '../terms/routes.service';
import type { Route } from '../terms/terms.types';
import { BreakersService } from './breakers.service';
import { type NamedProvider, ProvidersService } from './providers.service';
import type { Order, Product } from './purchases.types';

/** In which order providers are asked. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly routes: RoutesService,
    private readonly providers: ProvidersService,
    private readonly breakers: BreakersService,
  ) {}

  /** Providers that this build has and the routes name, whose breaker is closed. Equal positions are shuffled by weight. */
  async inOrder(product: Product, network: string, owner: Pick<Order, 'accountId' | 'livemode'>): Promise<NamedProvider[]> {
    const { livemode } = owner;
    const routes = await this.routes.inOrder({ product, network, livemode });
    return shuffled(routes).flatMap(({ provider: name }) => {
      const provider = this.providers.find(product, name, livemode);
      return provider && this.breakers.isClosed(product, name, owner) ? [{ name, provider }] : [];
    });
  }
}

/** By position; among equals a heavier one comes first more often. */
function shuffled(routes: readonly Route[]): Route[] {
  if (new Set(routes.map(({ position }) => position)).size === routes.length) return [...routes];
  const lots = new Map(routes.map((route) => [route, -Math.log(Math.random()) / route.weight]));
  return [...routes].sort((a, b) => a.position - b.position || lots.get(a)! - lots.get(b)!);
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { BreakersService } from './breakers.service';
import { type NamedProvider, ProvidersService } from './providers.service';
import type { Order, Product } from './purchases.types';

interface Route {
  readonly provider: string;
  readonly position: number;
  readonly weight: number;
}

interface Asked {
  readonly product: Product;
  readonly network: string;
  readonly livemode: boolean;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 1_000;

/** In which order providers are asked: by the table `provider_routes`, the network's own rows before those of `*`. */
@Injectable()
export class RoutingService {
  private readonly routes = new LRUCache<string, Route[], Asked>({
    max: 1_000,
    ttl: STALE_MS,
    fetchMethod: (_key, _stale, { context }) => this.read(context),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: ProvidersService,
    private readonly breakers: BreakersService,
  ) {}

  /** Providers that this build has and the table names, whose breaker is closed. Equal positions are shuffled by weight. */
  async inOrder(product: Product, network: string, owner: Pick<Order, 'accountId' | 'livemode'>): Promise<NamedProvider[]> {
    const { livemode } = owner;
    const routes = (await this.routes.fetch(`${product}/${network}/${livemode}`, { context: { product, network, livemode } }))!;
    return shuffled(routes).flatMap(({ provider: name }) => {
      const provider = this.providers.find(product, name, livemode);
      return provider && this.breakers.isClosed(product, name, owner) ? [{ name, provider }] : [];
    });
  }

  private read({ product, network, livemode }: Asked): Promise<Route[]> {
    return this.dataSource.query(
      `SELECT provider, position, weight FROM provider_routes r
        WHERE product = $1 AND livemode = $3 AND enabled AND network = CASE
          WHEN EXISTS (SELECT FROM provider_routes WHERE product = $1 AND livemode = $3 AND network = $2) THEN $2 ELSE '*' END
        ORDER BY position, provider`,
      [product, network, livemode],
    );
  }
}

/** By position; among equals a heavier one comes first more often. */
function shuffled(routes: readonly Route[]): Route[] {
  if (new Set(routes.map(({ position }) => position)).size === routes.length) return [...routes];
  const lots = new Map(routes.map((route) => [route, -Math.log(Math.random()) / route.weight]));
  return [...routes].sort((a, b) => a.position - b.position || lots.get(a)! - lots.get(b)!);
}

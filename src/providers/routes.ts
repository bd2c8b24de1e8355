import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/** What somebody else carries out, as the table `provider_routes` calls it. */
export const ROUTED_PRODUCTS = ['airtime', 'data', 'bills', 'cards', 'payment'] as const;
export type RoutedProduct = (typeof ROUTED_PRODUCTS)[number];

/** One who can be asked. */
export interface Route {
  readonly provider: string;
  readonly position: number;
  /** Among equal positions: how often it comes first. */
  readonly weight: number;
}

interface Asked {
  readonly product: RoutedProduct;
  /** Of the recipient; of cards the brand, of payments the currency. */
  readonly network: string;
  readonly livemode: boolean;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 1_000;

const SELECT_ROUTES = `
  SELECT provider, position, weight FROM provider_routes
   WHERE product = $1 AND livemode = $3 AND enabled AND network = CASE
     WHEN EXISTS (SELECT FROM provider_routes WHERE product = $1 AND livemode = $3 AND network = $2) THEN $2
     ELSE '*' END
   ORDER BY position, provider`;

/**
 * Who is asked, in which order: by the table `provider_routes`, a network's own rows before those of `*`; equal
 * positions by weight.
 */
@Injectable()
export class Routes {
  private readonly routes = new LRUCache<string, Route[], Asked>({
    max: 1_000,
    ttl: STALE_MS,
    fetchMethod: (_key, _stale, { context: { product, network, livemode } }) =>
      this.dataSource.query(SELECT_ROUTES, [product, network, livemode]),
  });

  constructor(private readonly dataSource: DataSource) {}

  async inOrder(asked: Asked): Promise<readonly Route[]> {
    const { product, network, livemode } = asked;
    return shuffled((await this.routes.fetch(`${product}/${network}/${livemode}`, { context: asked }))!);
  }
}

/** By position; among equals a heavier one comes first more often. */
function shuffled(routes: readonly Route[]): readonly Route[] {
  if (new Set(routes.map(({ position }) => position)).size === routes.length) return routes;
  const lots = new Map(routes.map((route) => [route, -Math.log(Math.random()) / route.weight]));
  return [...routes].sort((a, b) => a.position - b.position || lots.get(a)! - lots.get(b)!);
}

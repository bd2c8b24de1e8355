import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { DomainError, found } from '../core/errors/domain-error';
import { Extensions } from '../core/extension/extensions';
import type { FilterChange, GatewayChoice, PaymentContext } from '../core/extension/points';
import { Breakers } from './breakers';
import { type AdapterOptions, type Registered, Registry } from './registry';
import type { RoutedProduct } from '../vocabulary/products';

/** Which provider is asked for what. */
export interface RouteKey {
  readonly product: RoutedProduct;
  readonly network: string;
  readonly livemode: boolean;
  readonly provider: string;
}

/** One who can be asked, as operators set it. */
interface Route extends Pick<RouteKey, 'provider'> {
  readonly position: number;
  /** Among equal positions: how often it comes first. */
  readonly weight: number;
}

export interface StoredRoute extends RouteKey, Route {
  readonly enabled: boolean;
}

/** What somebody is looked for, and for whom. */
export interface Wanted {
  readonly product: RoutedProduct;
  /** Of the recipient; the biller's code; of cards the brand, of payments the currency. */
  readonly network: string;
  readonly livemode: boolean;
  /** Of test mode: each account has breakers of its own. */
  readonly accountId: string;
}

/** Who is asked, in order. */
export interface Choice {
  readonly names: readonly string[];
  /** By name, where a filter set some. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What filters changed. */
  readonly changes: readonly FilterChange[];
}

interface Conditions<Port, Options extends AdapterOptions> {
  /** What an error says when nobody is left. */
  readonly nobody: string;
  /** Which adapters filters get to see; all by default. */
  readonly suits?: (one: Registered<Port, Options>) => boolean;
  /** Which of those that filters left can do it now; all by default. */
  readonly able?: (one: Registered<Port, Options>) => Promise<boolean>;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 1_000;

const SELECT_ROUTES = `
  SELECT provider, position, weight FROM provider_routes
   WHERE product = $1 AND livemode = $3 AND enabled AND network = CASE
     WHEN EXISTS (SELECT FROM provider_routes WHERE product = $1 AND livemode = $3 AND network = $2) THEN $2
     ELSE '*' END
   ORDER BY position, provider`;
const SELECT_ALL = `
  SELECT product, network, livemode, provider, position, weight, enabled FROM provider_routes
   ORDER BY livemode DESC, product, network, position, provider`;
const SWITCH = `
  UPDATE provider_routes SET enabled = $5
   WHERE product = $1 AND network = $2 AND livemode = $3 AND provider = $4 RETURNING 1`;

/**
 * Who is asked, in which order: by the table `provider_routes`, a network's own rows before those of `*`; equal
 * positions by weight. Only those whom this build has, and whose breaker is closed.
 */
@Injectable()
export class Routes {
  private readonly log = new Logger('providers');
  private readonly routes = new LRUCache<string, Route[], Wanted>({
    max: 1_000,
    ttl: STALE_MS,
    fetchMethod: (_key, _stale, { context: { product, network, livemode } }) =>
      this.dataSource.query(SELECT_ROUTES, [product, network, livemode]),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: Registry,
    private readonly breakers: Breakers,
    private readonly extensions: Extensions,
  ) {}

  async inOrder<Port, Options extends AdapterOptions = AdapterOptions>(
    wanted: Wanted,
  ): Promise<Registered<Port, Options>[]> {
    const { product, network, livemode } = wanted;
    const routes = (await this.routes.fetch(`${product}/${network}/${livemode}`, { context: wanted }))!;
    return shuffled(routes).flatMap(({ provider }) =>
      this.isPossible(wanted, provider) ? [this.registry.find<Port, Options>(product, provider)!] : [],
    );
  }

  /** Every route, as operators see them. */
  list(): Promise<StoredRoute[]> {
    return this.dataSource.query(SELECT_ALL);
  }

  /** From a second later on nobody new is asked there, or asked again; what is under way goes on. Throws `NotFound`. */
  async enable({ product, network, livemode, provider }: RouteKey, enabled: boolean): Promise<void> {
    const [rows]: [unknown[], number] = await this.dataSource.query(SWITCH, [
      product,
      network,
      livemode,
      provider,
      enabled,
    ]);
    found(rows[0], 'route');
  }

  /** Whether somebody would be asked now. */
  async isAvailable(wanted: Wanted): Promise<boolean> {
    return (await this.inOrder(wanted)).length > 0;
  }

  /** Whether this one would be asked now, be it routed or not. */
  isPossible({ product, network, livemode, accountId }: Wanted, provider: string): boolean {
    return (
      this.registry.findOf(product, provider, livemode) !== null &&
      this.breakers.isClosed({ product, provider, network, livemode, accountId })
    );
  }

  /**
   * Those to ask about a payment, in order, after the filters of `svc_payment_gateway`. When nobody is left,
   * `svc_on_error` hears of it.
   */
  async choose<Port, Options extends AdapterOptions = AdapterOptions>(
    { product, network }: Pick<Wanted, 'product' | 'network'>,
    context: PaymentContext,
    { nobody, suits = () => true, able }: Conditions<Port, Options>,
  ): Promise<Choice> {
    const { accountId, livemode, operation } = context;
    const inOrder = await this.inOrder<Port, Options>({ product, network, livemode, accountId });
    const candidates = inOrder.filter(suits);
    const { value, changes } = await this.extensions.gateways(
      candidates.map(({ name }) => ({ name, options: {} })),
      context,
    );
    const chosen: GatewayChoice[] = [];
    for (const choice of value) {
      const candidate = candidates.find(({ name }) => name === choice.name);
      if (candidate && (able === undefined || (await able(candidate)))) chosen.push(choice);
    }
    if (chosen.length === 0) {
      this.log.error({ message: nobody, operation, livemode });
      this.extensions.onError({
        ...context,
        error: { stage: 'platform', code: 'provider_unavailable', message: nobody },
      });
    }
    const options = Object.fromEntries(
      chosen.filter((one) => Object.keys(one.options).length > 0).map((one) => [one.name, one.options]),
    );
    return { names: chosen.map(({ name }) => name), options, changes };
  }
}

/** Nobody can be asked for this now. Nothing was recorded. */
export class ProviderUnavailable extends DomainError {
  /** `nobody`: who can't, as the start of a sentence. */
  constructor(nobody: string) {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 30,
      detail: `${nobody} right now. Nothing was recorded; send the request again later.`,
    });
  }
}

/** By position; among equals a heavier one comes first more often. */
function shuffled(routes: readonly Route[]): readonly Route[] {
  if (new Set(routes.map(({ position }) => position)).size === routes.length) return routes;
  const lots = new Map(routes.map((route) => [route, -Math.log(Math.random()) / route.weight]));
  return [...routes].sort((a, b) => a.position - b.position || lots.get(a)! - lots.get(b)!);
}

import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { ControlCell } from '../core/cells/control-cell';
import { DomainError, found } from '../core/errors/domain-error';
import { Extensions } from '../core/extension/extensions';
import type { FilterChange, GatewayChoice, PaymentContext } from '../core/extension/points';
import { Breakers } from './breakers';
import { Floats } from './floats';
import { Health } from './health';
import { type AdapterOptions, type Registered, Registry } from './registry';
import { type RoutedProduct, SOLD_PRODUCTS } from '../vocabulary/products';

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

/** Why an adapter never takes such a thing. */
interface Refusal {
  /** A sentence for the caller. */
  readonly message: string;
  readonly param?: string;
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
  /** Of those who stand at one position, why they came in this order; null: no two do. */
  readonly shares: readonly Share[] | null;
}

/** One of several at a position. */
export interface Share {
  readonly provider: string;
  /** How often it comes first, from 0 to 1. */
  readonly share: number;
  /** Of its calls in the last minutes, as this process saw them. */
  readonly successRate: number;
  readonly p95Ms: number | null;
}

interface Conditions<Port, Options extends AdapterOptions> {
  /** What an error says when nobody is left. */
  readonly nobody: string;
  /** Which adapters filters get to see; all by default. */
  readonly suits?: (one: Registered<Port, Options>) => boolean;
  /** Which of those that filters left can do it now; all by default. */
  readonly able?: (one: Registered<Port, Options>) => Promise<boolean | Refusal>;
}

/** Those who are routed. */
interface Drawn<Port, Options extends AdapterOptions> {
  /** Who would be asked now, in order. */
  readonly adapters: Registered<Port, Options>[];
  /** Who is left out for a while. */
  readonly away: Registered<Port, Options>[];
  readonly shares: readonly Share[] | null;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 1_000;

const SELECT_ROUTES = `
  SELECT provider, position, weight FROM provider_routes
   WHERE product = $1 AND livemode = $3 AND enabled AND network = CASE
     WHEN EXISTS (SELECT 1 FROM provider_routes WHERE product = $1 AND livemode = $3 AND network = $2) THEN $2
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
    private readonly floats: Floats,
    private readonly health: Health,
    private readonly control: ControlCell,
  ) {}

  async inOrder<Port, Options extends AdapterOptions = AdapterOptions>(
    wanted: Wanted,
  ): Promise<Registered<Port, Options>[]> {
    return (await this.drawn<Port, Options>(wanted)).adapters;
  }

  /** By position, among equals by lot: a heavier one comes first more often, in live mode also a healthier one. */
  private async drawn<Port, Options extends AdapterOptions>(wanted: Wanted): Promise<Drawn<Port, Options>> {
    const { product, livemode } = wanted;
    const all = (await this.routesOf(wanted)).filter(
      ({ provider }) => this.registry.findOf(product, provider, livemode) !== null,
    );
    const routes = all.filter(({ provider }) => this.isPossible(wanted, provider));
    const byPosition = [...Map.groupBy(routes, ({ position }) => position).values()];
    const shares: Share[] = [];
    const names = byPosition.flatMap((equals) => {
      if (equals.length === 1) return [equals[0]!.provider];
      const weights = this.weightsOf(wanted, equals);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      for (const [i, { provider }] of equals.entries()) {
        const { successRate, p95Ms } = this.health.of({ ...wanted, provider });
        shares.push({ provider, share: weights[i]! / sum, successRate, p95Ms });
      }
      return drawnByLot(equals, weights);
    });
    const adapterOf = (name: string) => this.registry.find<Port, Options>(product, name)!;
    const away = all.filter((route) => !routes.includes(route)).map(({ provider }) => adapterOf(provider));
    return { adapters: names.map(adapterOf), away, shares: shares.length === 0 ? null : shares };
  }

  /** As operators set them, a second ago at most. */
  private async routesOf(wanted: Wanted): Promise<Route[]> {
    const { product, network, livemode } = wanted;
    return (await this.routes.fetch(`${product}/${network}/${livemode}`, { context: wanted }))!;
  }

  /** What testers ask providers to do says nothing of them. */
  private weightsOf(wanted: Wanted, equals: readonly Route[]): number[] {
    if (!wanted.livemode) return equals.map(({ weight }) => weight);
    const factors = this.health.factors(equals.map(({ provider }) => ({ ...wanted, provider })));
    return equals.map(({ weight }, i) => weight * factors[i]!);
  }

  /** Every route, as operators see them. */
  list(): Promise<StoredRoute[]> {
    return this.dataSource.query(SELECT_ALL);
  }

  /** From a second later on nobody new is asked there, or asked again; what is under way goes on. Throws `NotFound`. */
  async enable({ product, network, livemode, provider }: RouteKey, enabled: boolean): Promise<void> {
    this.control.requireHere();
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
   * Of those to whom an order was routed before, the first who is still routed and would be asked now; null: nobody.
   * `currency`: of the price.
   */
  async firstPossible(wanted: Wanted, names: readonly string[], currency: string): Promise<string | null> {
    const routed = (await this.routesOf(wanted)).map(({ provider }) => provider);
    const possible = names.filter((name) => routed.includes(name) && this.isPossible(wanted, name));
    const adapters = possible.map((name) => this.registry.find(wanted.product, name)!);
    return (await this.withMoney(wanted, adapters, currency))[0]?.name ?? null;
  }

  /**
   * Those to ask about a payment, in order, after the filters of `svc_payment_gateway`. When nobody is left,
   * `svc_on_error` hears of it. Throws `NotSellable` when all who are routed never take such a thing.
   */
  async choose<Port, Options extends AdapterOptions = AdapterOptions>(
    { product, network }: Pick<Wanted, 'product' | 'network'>,
    context: PaymentContext,
    { nobody, suits = () => true, able }: Conditions<Port, Options>,
  ): Promise<Choice> {
    const { accountId, livemode, operation } = context;
    const wanted = { product, network, livemode, accountId };
    const { adapters, away, shares } = await this.drawn<Port, Options>(wanted);
    const suitable = adapters.filter(suits);
    const candidates = await this.withMoney(wanted, suitable, context.draft.currency);
    const { value, changes } = await this.extensions.gateways(
      candidates.map(({ name }) => ({ name, options: {} })),
      context,
    );
    const chosen: GatewayChoice[] = [];
    const refusals: Refusal[] = [];
    for (const choice of value) {
      const candidate = candidates.find(({ name }) => name === choice.name);
      if (candidate === undefined) continue;
      const answer = able === undefined || (await able(candidate));
      if (answer === true) chosen.push(choice);
      else if (answer !== false) refusals.push(answer);
    }
    // One that could take it at another time would be a reason to come back.
    const isAnyAway = candidates.length < suitable.length || away.some(suits);
    if (!isAnyAway && refusals.length > 0 && refusals.length === value.length) throw new NotSellable(refusals[0]!);
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
    return { names: chosen.map(({ name }) => name), options, changes, shares };
  }

  /** Of live mode those at whom we have more than the floor, in the currency that our money has there. */
  private async withMoney<One extends AdapterOptions>(
    { product, livemode }: Wanted,
    candidates: One[],
    currency: string,
  ): Promise<One[]> {
    if (!livemode || !isSold(product)) return candidates;
    const lows = await Promise.all(
      candidates.map(({ name, floatCurrency = currency }) => this.floats.isLow(name, floatCurrency)),
    );
    return candidates.filter((_, i) => !lows[i]);
  }
}

/** Nobody who is routed ever takes such a thing. Nothing was recorded. */
class NotSellable extends DomainError {
  constructor({ message, param }: Refusal) {
    super({
      code: 'not_sellable',
      kind: 'unprocessable',
      title: 'Not sellable',
      recovery: 'caller_must_fix',
      detail: message,
      param,
    });
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

const isSold = (product: RoutedProduct): boolean => (SOLD_PRODUCTS as readonly RoutedProduct[]).includes(product);

/** A heavier one comes first more often. */
export function drawnByLot(equals: readonly Pick<Route, 'provider'>[], weights: readonly number[]): string[] {
  const lots = equals.map(({ provider }, i) => [provider, -Math.log(Math.random()) / weights[i]!] as const);
  return lots.sort(([, a], [, b]) => a - b).map(([provider]) => provider);
}

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { hasItsSettings } from '../core/config/env';
import type { Currency } from '../core/money/money';
import { needSettings, type TeamSettings } from '../core/config/settings';
import { ROUTED_PRODUCTS, type RoutedProduct } from '../vocabulary/products';

export interface AdapterOptions {
  /**
   * snake_case, unique per product: stands in routes, on what was asked for, in addresses and in ledger accounts. It
   * never changes.
   */
  readonly name: string;
  /** Test adapters do nothing real; test mode uses only them, live mode only the others. */
  readonly mode: 'test' | 'live';
  /** Of our money there, where we keep some; NGN when absent. */
  readonly floatCurrency?: Currency;
  /** Without these settings it is not registered. */
  readonly when?: TeamSettings;
}

/** What a look at an adapter's settings found out; `says` is a sentence for the operator, without secrets. */
export interface CheckResult {
  readonly isFine: boolean;
  readonly says: string;
}

/** An adapter that can tell whether its settings are right. */
export interface Checkable {
  /** The cheapest call that does nothing there: whether our key, our address and our account are as they must be. */
  check?(signal: AbortSignal): Promise<CheckResult>;
}

interface Offer extends Omit<AdapterOptions, 'when'> {
  readonly product: RoutedProduct;
}

/** An adapter of this build, with what its decorator says. */
export type Registered<Port, Options extends AdapterOptions = AdapterOptions> = Options & { readonly adapter: Port };

/** Where a class keeps what it offers: shared by all copies of this file that one process may have loaded. */
export const OFFERS = Symbol.for('duka:offers');

/** What a class of this build says that it offers, be it registered or not. */
export interface Declared extends Offer {
  readonly settings: TeamSettings | null;
  readonly target: object;
}

const DECLARED = Symbol.for('duka:declared-adapters');
/** Shared, too. */
const declared = ((globalThis as { [DECLARED]?: Declared[] })[DECLARED] ??= []);

/** Makes the decorator of a product's adapters: it takes only a class that implements the port. */
export const adapts =
  <Port, Options extends AdapterOptions = AdapterOptions>(product: RoutedProduct) =>
  ({ when, ...options }: Options) =>
  (target: new (...args: never[]) => Port): void => {
    declared.push({ ...options, product, target, settings: when ?? null });
    const others = (Reflect.getOwnMetadata(OFFERS, target) as Offer[] | undefined) ?? [];
    Reflect.defineMetadata(OFFERS, [...others, { ...options, product }], target);
    needSettings(when, target);
  };

/**
 * Every adapter of the process that has the settings it needs, found by its decorator. Two of one product with one name
 * stop the boot.
 */
@Injectable()
export class Registry implements OnModuleInit {
  private readonly log = new Logger('providers');
  private readonly adapters = new Map<string, Offer & { readonly adapter: object }>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance, metatype } of this.discovery.getProviders()) {
      if (typeof metatype !== 'function' || !instance || !hasItsSettings(metatype)) continue;
      const offers = (Reflect.getOwnMetadata(OFFERS, metatype) as Offer[] | undefined) ?? [];
      for (const offer of offers) this.add(offer, instance);
    }
    for (const product of ROUTED_PRODUCTS) {
      const live = [...this.adapters.values()]
        .filter((one) => one.product === product && one.mode === 'live')
        .map(({ name }) => name)
        .sort((a, b) => a.localeCompare(b));
      if (live.length === 0)
        this.log.warn(`nobody offers ${product} in live mode: such requests are answered with provider_unavailable`);
      else this.log.log(`${product} is offered in live mode by ${live.join(', ')}`);
    }
  }

  /** What classes of this build offer; registered or, without their settings, not. In the order of product and name. */
  list(): (Declared & { readonly isRegistered: boolean })[] {
    return declared
      .map((one) => ({ ...one, isRegistered: this.adapters.has(`${one.product}/${one.name}`) }))
      .sort((a, b) => `${a.product}/${a.name}`.localeCompare(`${b.product}/${b.name}`));
  }

  /** Those of live mode that have their settings. */
  listLive(): Declared[] {
    return this.list().filter(({ mode, isRegistered }) => mode === 'live' && isRegistered);
  }

  /** Throws when the name is taken, or cannot stand in tables and metrics. */
  add(offer: Offer, adapter: object): void {
    const { product, name } = offer;
    const className = adapter.constructor.name;
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
      throw new Error(`${className}: the name of an adapter is snake_case, not "${name}"`);
    const twin = this.adapters.get(`${product}/${name}`);
    if (twin)
      throw new Error(
        `two adapters of ${product} are called "${name}": ${twin.adapter.constructor.name} and ${className}`,
      );
    this.adapters.set(`${product}/${name}`, { ...offer, adapter });
  }

  /** By name, of either mode; null when this build does not have it. */
  find<Port, Options extends AdapterOptions = AdapterOptions>(
    product: RoutedProduct,
    name: string,
  ): Registered<Port, Options> | null {
    return (this.adapters.get(`${product}/${name}`) as Registered<Port, Options> | undefined) ?? null;
  }

  /** As `find`, but null also for one of the other mode. */
  findOf<Port, Options extends AdapterOptions = AdapterOptions>(
    product: RoutedProduct,
    name: string,
    livemode: boolean,
  ): Registered<Port, Options> | null {
    const found = this.find<Port, Options>(product, name);
    return found && (found.mode === 'live') === livemode ? found : null;
  }
}

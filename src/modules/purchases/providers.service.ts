import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { marked, requireAdapterName } from '../../core/adapters/marked';
import { type Sold, SELLS } from './purchases.provider';
import { type Product, PRODUCTS, type Provider } from './purchases.types';

export interface NamedProvider {
  readonly name: string;
  readonly provider: Provider;
}

/** Every provider of the process, found by its decorator. Two of one product with one name stop the boot. */
@Injectable()
export class ProvidersService implements OnModuleInit {
  private readonly log = new Logger('providers');
  private readonly providers = new Map<string, Sold & { readonly provider: Provider }>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { mark, adapter, className } of marked<Sold[], Provider>(this.discovery, SELLS)) {
      for (const sold of mark) this.add(sold, adapter, className);
    }
    for (const product of PRODUCTS) {
      const live = this.of(product, true).map(({ name }) => name);
      if (live.length === 0)
        this.log.warn(
          `no provider sells ${product} in live mode: such requests are answered with provider_unavailable`,
        );
      else this.log.log(`${product} is sold in live mode by ${live.join(', ')}`);
    }
  }

  /** A provider by name; null when this build does not have it, or only for the other mode. */
  find(product: Product, name: string, livemode: boolean): Provider | null {
    const found = this.providers.get(`${product}/${name}`);
    return found && (found.mode === 'live') === livemode ? found.provider : null;
  }

  /** All providers of a product and mode, by name. */
  of(product: Product, livemode: boolean): NamedProvider[] {
    return [...this.providers.values()]
      .filter((sold) => sold.product === product && (sold.mode === 'live') === livemode)
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  private add(sold: Sold, provider: Provider, className: string): void {
    const key = `${sold.product}/${sold.name}`;
    requireAdapterName(sold.name, className);
    if (this.providers.has(key))
      throw new Error(`two providers of ${sold.product} are called "${sold.name}"; the second is ${className}`);
    this.providers.set(key, { ...sold, provider });
  }
}

import type { Product } from './purchases.types';

/** Where a provider class keeps what it sells: shared by all copies of this file that one process may have loaded. */
export const SELLS = Symbol.for('duka:sells');

export interface ProviderOptions {
  /** snake_case, unique per product: stands in routes, attempts and ledger accounts (`provider_float:<name>`). */
  readonly name: string;
  /** Test providers sell nothing real; test mode uses only them, live mode only the others. */
  readonly mode: 'test' | 'live';
}

export interface Sold extends ProviderOptions {
  readonly product: Product;
}

/** Marks a Nest provider class as a seller of a product. Each product has its own typed decorator made from this. */
export const sells =
  (product: Product) =>
  (options: ProviderOptions) =>
  (target: new (...args: never[]) => unknown): void => {
    const all = (Reflect.getOwnMetadata(SELLS, target) as Sold[] | undefined) ?? [];
    Reflect.defineMetadata(SELLS, [...all, { ...options, product }], target);
  };

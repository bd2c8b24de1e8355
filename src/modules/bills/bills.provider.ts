import { type Provider, type ProviderOptions, sells } from '../purchases/purchases.provider';
import type { BillItem, ValidationQuery, ValidationResult } from './bills.types';

/** Pays bills and knows the billers' customers. Tokens and PINs go into `secrets` of what it delivers, never into `details`. */
export interface BillsProvider extends Provider<BillItem> {
  /** Who the customer is to the biller. Moves nothing and may be repeated. */
  validate(query: ValidationQuery, signal: AbortSignal): Promise<ValidationResult>;
}

/** Marks a Nest provider class as one that pays bills. */
export const PaysBills =
  (options: ProviderOptions) =>
  (target: new (...args: never[]) => BillsProvider): void =>
    sells('bills')(options)(target);

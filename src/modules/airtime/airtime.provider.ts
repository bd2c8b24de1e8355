import { adapts } from '../../providers/registry';
import type { Provider } from '../purchases/purchases.provider';

/** What an airtime provider is asked for, beside amount and currency of the order. */
export interface AirtimeItem {
  /** E.164. */
  readonly phone: string;
  /** Slug, unique within the country. */
  readonly network: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Whoever delivers airtime. Adapters live in `providers/<name>/` or in an extension. */
export type AirtimeProvider = Provider<AirtimeItem>;

/** Marks a Nest provider class as a seller of airtime. */
export const SellsAirtime = adapts<AirtimeProvider>('airtime');

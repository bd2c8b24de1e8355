import { adapts } from '../../providers/registry';
import type { Provider } from '../purchases/purchases.provider';
import type { Validity } from './data-plan';

/** What a data provider is asked for: kept as JSON, so numbers are plain. */
export interface DataItem {
  /** E.164. */
  readonly phone: string;
  readonly network: string;
  readonly country: string;
  readonly plan_code: string;
  readonly plan_name: string;
  readonly data_bytes: number;
  readonly validity: Validity;
}

/**
 * Whoever delivers data plans. Adapters live in `providers/<name>/` or in an extension; what is on sale comes by
 * `catalogue:import`.
 */
export type DataProvider = Provider<DataItem>;

/** Marks a Nest provider class as a seller of data plans. */
export const SellsData = adapts<DataProvider>('data');

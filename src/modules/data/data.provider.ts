import { adapts } from '../../providers/registry';
import type { Provider } from '../purchases/purchases.provider';
import type { DataItem } from './data-plan';

/**
 * Whoever delivers data plans. Adapters live in `providers/<name>/` or in an extension; what is on sale comes by
 * `catalogue:import`.
 */
export type DataProvider = Provider<DataItem>;

/** Marks a Nest provider class as a seller of data plans. */
export const SellsData = adapts<DataProvider>('data');

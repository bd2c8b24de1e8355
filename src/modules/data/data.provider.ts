import { type ProviderOptions, sells } from '../purchases/purchases.provider';
import type { Provider } from '../purchases/purchases.types';
import type { DataItem, OfferedPlan } from './data-plans.types';

/** Whoever delivers data plans. Adapters live in `providers/<name>/` or in an extension. */
export type DataProvider = Provider<DataItem> & {
  /** What the provider sells now, under our plan codes: what `catalogue:import` takes. */
  catalogue?(signal: AbortSignal): Promise<readonly OfferedPlan[]>;
};

/** Marks a Nest provider class as a seller of data plans. */
export const SellsData = (options: ProviderOptions) => (target: new (...args: never[]) => DataProvider): void => sells('data')(options)(target);

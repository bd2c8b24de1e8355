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

/** What a provider sells, as its own list has it. */
export interface PlanList {
  /** Rows of a file for `catalogue:import`. */
  readonly plans: readonly object[];
  /** What cannot be a plan of the catalogue as it stands: an operator decides. */
  readonly left: readonly { readonly variation: string; readonly why: string }[];
}

/**
 * Whoever delivers data plans. Adapters live in `providers/<name>/` or in an extension; what is on sale comes by
 * `catalogue:import`, or from their own list by `catalogue:sync`.
 */
export interface DataProvider extends Provider<DataItem> {
  /** All plans that it sells now. Throws when its list cannot be read whole. */
  catalogue?(signal: AbortSignal): Promise<PlanList>;
}

/** Marks a Nest provider class as a seller of data plans. */
export const SellsData = adapts<DataProvider>('data');

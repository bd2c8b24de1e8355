/** What a fee of the table `fees` may be for. */
export const FEE_PRODUCTS = [
  'airtime',
  'data',
  'bills',
  'card_issue',
  'card_funding',
  'card_withdrawal',
  'payment',
] as const;
export type FeeProduct = (typeof FEE_PRODUCTS)[number];

/** What somebody else carries out, as the table `provider_routes` calls it. */
export const ROUTED_PRODUCTS = ['airtime', 'data', 'bills', 'cards', 'payment'] as const;
export type RoutedProduct = (typeof ROUTED_PRODUCTS)[number];

/** What an operation costs beside its amount. */
export interface Priced {
  /** Minor units. */
  readonly fee: bigint;
  /** For `details.breakdown`: where the fee comes from, with every filter that changed it. */
  readonly breakdown: readonly object[];
}

/** One who can be asked. */
export interface Route {
  readonly provider: string;
  readonly position: number;
  /** Among equal positions: how often it comes first. */
  readonly weight: number;
}

// What the routes for operators of the platform answer.

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

/** Flat plus basis points of the amount, at most the cap, in minor units. */
export interface FeeRule {
  readonly product: FeeProduct;
  readonly tier: string;
  readonly currency: string;
  readonly flat: number;
  readonly basis_points: number;
  readonly cap: number | null;
}

export interface ProviderRoute {
  readonly product: string;
  /** `*`: every network without routes of its own. */
  readonly network: string;
  readonly livemode: boolean;
  readonly provider: string;
  readonly position: number;
  /** Among equal positions: how often it comes first. */
  readonly weight: number;
  readonly enabled: boolean;
}

export interface ProviderCalls {
  readonly product: string;
  readonly provider: string;
  readonly livemode: boolean;
  readonly calls: number;
  /** From 0 to 1. */
  readonly unknown_rate: number;
  readonly mean_ms: number;
  readonly outcomes: readonly ProviderOutcome[];
}

export interface ProviderOutcome {
  readonly call: string;
  readonly outcome: string;
  readonly calls: number;
  readonly mean_ms: number;
  readonly last_at: string;
}

export interface Providers {
  readonly minutes: number;
  readonly routes: readonly ProviderRoute[];
  readonly calls: readonly ProviderCalls[];
}

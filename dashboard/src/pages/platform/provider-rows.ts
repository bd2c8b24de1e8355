import type { DashboardSchemas } from '../../api/dashboard-api';

export type Providers = DashboardSchemas['Providers'];
export type ProviderRoute = DashboardSchemas['ProviderRoute'];
export type ProviderCalls = DashboardSchemas['ProviderCalls'];

/** One provider of a product, in one mode. */
export interface ProviderRow {
  readonly product: string;
  readonly provider: string;
  /** None for one that was asked before its routes were taken away. */
  readonly routes: readonly ProviderRoute[];
  /** Null: it was not asked. */
  readonly calls: ProviderCalls | null;
}

export const nameOf = ({ product, provider }: { product: string; provider: string }): string =>
  `${product} ${provider}`;

/** Calls are counted by provider, not by route: each provider is one row with all of its routes. */
export function providerRows({ routes, calls }: Providers, livemode: boolean): readonly ProviderRow[] {
  const ownRoutes = routes.filter((route) => route.livemode === livemode);
  const ownCalls = calls.filter((counted) => counted.livemode === livemode);
  const providers = new Map(
    [...ownRoutes, ...ownCalls].map(({ product, provider }) => [nameOf({ product, provider }), { product, provider }]),
  );
  return [...providers].map(([name, { product, provider }]) => ({
    product,
    provider,
    routes: ownRoutes.filter((route) => nameOf(route) === name),
    calls: ownCalls.find((counted) => nameOf(counted) === name) ?? null,
  }));
}

const UNHEALTHY_RATE = 0.05;
/** Fewer calls say nothing about a provider. */
const TELLING_CALLS = 20;

export const isUnhealthy = ({ calls, unknown_rate }: ProviderCalls): boolean =>
  calls >= TELLING_CALLS && unknown_rate >= UNHEALTHY_RATE;

/** The last of its calls. */
export const lastCallAt = ({ outcomes }: ProviderCalls): string | undefined =>
  outcomes
    .map(({ last_at }) => last_at)
    .sort()
    .at(-1);

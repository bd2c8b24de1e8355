/**
 * How long a limit counts: one authorization by itself, a calendar day, week (from Monday) or month in UTC, or for
 * ever.
 */
export const LIMIT_INTERVALS = ['per_authorization', 'daily', 'weekly', 'monthly', 'all_time'] as const;
export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** Intervals over which several authorizations add up. */
export type SummedInterval = Exclude<LimitInterval, 'per_authorization'>;

/** Minor units that a card has spent in the interval that is under way: what is held and what was cleared. */
export type Spent = Readonly<Record<SummedInterval, bigint>>;

/** What a card may be used for. An empty list of allowed things allows all that is not blocked; blocking wins. */
export interface Controls {
  readonly limits: readonly { readonly amount: number; readonly interval: LimitInterval }[];
  readonly allowed_mccs: readonly string[];
  readonly blocked_mccs: readonly string[];
  readonly allowed_countries: readonly string[];
  readonly blocked_countries: readonly string[];
}

/** What a merchant asks a card for. */
export interface Ask {
  /** Minor units. */
  readonly amount: bigint;
  readonly merchant: { readonly mcc: string; readonly country: string };
}

export type ControlRefusal = 'country_blocked' | 'mcc_blocked' | 'spending_limit';

/** Why the owner's controls refuse an authorization; null: they do not. */
export function refusalOf({ amount, merchant }: Ask, controls: Controls, spent: Spent): ControlRefusal | null {
  if (!isAllowed(merchant.country, controls.allowed_countries, controls.blocked_countries)) return 'country_blocked';
  if (!isAllowed(merchant.mcc, controls.allowed_mccs, controls.blocked_mccs)) return 'mcc_blocked';
  const total = (interval: LimitInterval) => amount + (interval === 'per_authorization' ? 0n : spent[interval]);
  return controls.limits.some((limit) => total(limit.interval) > BigInt(limit.amount)) ? 'spending_limit' : null;
}

const isAllowed = (value: string, allowed: readonly string[], blocked: readonly string[]): boolean =>
  !blocked.includes(value) && (allowed.length === 0 || allowed.includes(value));

const EPOCH = new Date(0);

/** When the interval that `now` (of the account's clock) lies in began. */
export function startOf(interval: SummedInterval, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (interval === 'all_time') return EPOCH;
  if (interval === 'monthly') return new Date(Date.UTC(year, month, 1));
  if (interval === 'daily') return new Date(Date.UTC(year, month, day));
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(year, month, day - daysSinceMonday));
}

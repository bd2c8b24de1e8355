import type { Reviewer } from '../../providers/reviews';

/** Who orders something of the platform, and why. */
export interface Order {
  /** Null: a name that somebody typed. */
  readonly operator: Reviewer | null;
  readonly name: string;
  readonly reason: string;
  readonly ip: string | null;
}

/** Where live money is concerned, or people are. */
export interface OperatorOrder extends Order {
  readonly operator: Reviewer;
}

/** Who orders it, once it is known whether that is live money. */
export type OrderFor = (livemode: boolean) => Promise<Order>;

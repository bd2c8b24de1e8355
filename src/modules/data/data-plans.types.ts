import type { Currency } from '../../core/money/currencies';

export const PLAN_TYPES = ['direct', 'sme', 'corporate_gifting', 'gifting', 'social', 'broadband'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

export const VALIDITY_UNITS = ['hour', 'day', 'week', 'month'] as const;
export type ValidityUnit = (typeof VALIDITY_UNITS)[number];

/** How long the data of a plan can be used. */
export interface Validity {
  readonly quantity: number;
  readonly unit: ValidityUnit;
}

/** A plan as an operator's file or a provider's catalogue offers it. */
export interface OfferedPlan {
  /** Ours, unique over all networks and countries. */
  readonly planCode: string;
  /** Slug of the network. */
  readonly network: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly name: string;
  readonly type: PlanType;
  readonly dataBytes: bigint;
  readonly validity: Validity;
  /** Minor units. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Basis points of the price that the buyer gets off. */
  readonly commissionBps: number;
  readonly active: boolean;
}

/** A row of the catalogue. */
export interface DataPlan extends OfferedPlan {
  readonly updatedAt: Date;
}

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

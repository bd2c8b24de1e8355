import type { Currency } from '../../core/money/money';

export const PLAN_TYPES = ['direct', 'sme', 'corporate_gifting', 'gifting', 'social', 'broadband'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

export const VALIDITY_UNITS = ['hour', 'day', 'week', 'month'] as const;
type ValidityUnit = (typeof VALIDITY_UNITS)[number];

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

export interface DataPlanRow {
  plan_code: string;
  network: string;
  country: string;
  name: string;
  type: PlanType;
  data_bytes: string;
  validity_quantity: number;
  validity_unit: ValidityUnit;
  price: string;
  currency: Currency;
  commission_bps: number;
  active: boolean;
  updated_at: Date;
}

export const toDataPlan = (row: DataPlanRow): DataPlan => ({
  planCode: row.plan_code,
  network: row.network,
  country: row.country,
  name: row.name,
  type: row.type,
  dataBytes: BigInt(row.data_bytes),
  validity: { quantity: row.validity_quantity, unit: row.validity_unit },
  price: BigInt(row.price),
  currency: row.currency,
  commissionBps: row.commission_bps,
  active: row.active,
  updatedAt: row.updated_at,
});

const OFFERED =
  'plan_code, network, country, name, type, data_bytes, validity_quantity, validity_unit, price, currency, ' +
  'commission_bps, active';

/** The whole catalogue in the order of its list: by code, the same on every server whatever its collation. */
export const SELECT_DATA_PLANS = {
  name: 'select_data_plans',
  text: `SELECT ${OFFERED}, updated_at FROM data_plans ORDER BY plan_code COLLATE "C"`,
};

export const SELECT_DATA_PLAN = {
  name: 'select_data_plan',
  text: `SELECT ${OFFERED}, updated_at FROM data_plans WHERE plan_code = $1`,
};

const COLUMN_TYPES = `
  plan_code text, network text, country text, name text, type text, data_bytes bigint, validity_quantity integer,
  validity_unit text, price bigint, currency text, commission_bps integer, active boolean`;

/** Adds plans and replaces those that are there. One parameter: `offeredRows`. */
export const UPSERT_DATA_PLANS = `
  INSERT INTO data_plans (${OFFERED}) SELECT ${OFFERED} FROM jsonb_to_recordset($1::jsonb) AS offered(${COLUMN_TYPES})
  ON CONFLICT ON CONSTRAINT data_plans_pkey DO UPDATE
     SET network = excluded.network, country = excluded.country, name = excluded.name, type = excluded.type,
         data_bytes = excluded.data_bytes, validity_quantity = excluded.validity_quantity,
         validity_unit = excluded.validity_unit, price = excluded.price, currency = excluded.currency,
         commission_bps = excluded.commission_bps, active = excluded.active, updated_at = excluded.updated_at`;

/** Big numbers travel as text: PostgreSQL reads them as bigint. */
export const offeredRows = (plans: readonly OfferedPlan[]): string =>
  JSON.stringify(
    plans.map(
      ({ planCode, dataBytes, validity, price, commissionBps, network, country, name, type, currency, active }) => ({
        plan_code: planCode,
        network,
        country,
        name,
        type,
        data_bytes: dataBytes.toString(),
        validity_quantity: validity.quantity,
        validity_unit: validity.unit,
        price: price.toString(),
        currency,
        commission_bps: commissionBps,
        active,
      }),
    ),
  );

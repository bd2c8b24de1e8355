import type { MigrationInterface, QueryRunner } from 'typeorm';
import plans from './seeds/data-plans.json';

const DATA_PLANS = `
  CREATE TABLE data_plans (
    plan_code         text        NOT NULL,
    network           text        NOT NULL,
    country           text        NOT NULL,
    name              text        NOT NULL,
    type              text        NOT NULL,
    data_bytes        bigint      NOT NULL,
    validity_quantity integer     NOT NULL,
    validity_unit     text        NOT NULL,
    price             bigint      NOT NULL,
    currency          text        NOT NULL,
    commission_bps    integer     NOT NULL,
    active            boolean     NOT NULL DEFAULT true,
    updated_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT data_plans_pkey PRIMARY KEY (plan_code),
    CONSTRAINT data_plans_plan_code CHECK (plan_code ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    CONSTRAINT data_plans_country CHECK (country ~ '^[A-Z]{2}$'),
    CONSTRAINT data_plans_type CHECK (type IN ('direct', 'sme', 'corporate_gifting', 'gifting', 'social', 'broadband')),
    CONSTRAINT data_plans_validity CHECK (validity_quantity > 0 AND validity_unit IN ('hour', 'day', 'week', 'month')),
    CONSTRAINT data_plans_amounts CHECK (price BETWEEN 1 AND 9007199254740991 AND data_bytes BETWEEN 1
      AND 9007199254740991),
    CONSTRAINT data_plans_commission CHECK (commission_bps >= 0 AND commission_bps < 10000)
  )`;

const SEED = `
  INSERT INTO data_plans
    (plan_code, network, country, name, type, data_bytes, validity_quantity, validity_unit, price, currency,
      commission_bps, active)
  SELECT plan_code, network, country, name, type, data_bytes,
         (validity->>'quantity')::integer, validity->>'unit', price, currency, commission_bps, active
    FROM jsonb_to_recordset($1::jsonb) AS plan(
         plan_code text, network text, country text, name text, type text, data_bytes bigint, validity jsonb,
         price bigint, currency text, commission_bps integer, active boolean)`;

/** The plans that are sold, with samples to start from: an operator's own come by `catalogue:import`. */
export class DataPlans1763000000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(DATA_PLANS);
    await db.query(`GRANT UPDATE ON data_plans TO duka_app`);
    await db.query(SEED, [JSON.stringify(plans)]);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE data_plans`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUMS = `
  CREATE TABLE risk_spending (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    key        text        NOT NULL,
    used       bigint      NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT risk_spending_pkey PRIMARY KEY (account_id, livemode, key),
    CONSTRAINT risk_spending_used CHECK (used >= 0)
  )`;

const PAYMENTS = `
  CREATE TABLE risk_spending_reservations (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    payment_id uuid        NOT NULL,
    key        text        NOT NULL,
    amount     bigint      NOT NULL,
    state      text        NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT risk_spending_reservations_pkey PRIMARY KEY (account_id, livemode, payment_id),
    CONSTRAINT risk_spending_reservations_state CHECK (state IN ('reserved', 'confirmed', 'released'))
  )`;

export class RiskSpending1763500000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(SUMS);
    await db.query(PAYMENTS);
    await db.query(`GRANT UPDATE ON risk_spending, risk_spending_reservations TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE risk_spending, risk_spending_reservations`);
  }
}

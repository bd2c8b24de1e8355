import type { MigrationInterface, QueryRunner } from 'typeorm';

const ORDERS = `
  CREATE TABLE sandbox_orders (
    account_id  uuid        NOT NULL,
    livemode    boolean     NOT NULL DEFAULT false,
    reference   text        NOT NULL,
    purchase_id uuid        NOT NULL,
    provider    text        NOT NULL,
    plan        jsonb,
    sold_at     timestamptz NOT NULL,
    ready_at    timestamptz NOT NULL,
    CONSTRAINT sandbox_orders_pkey PRIMARY KEY (account_id, reference),
    CONSTRAINT sandbox_orders_test_only CHECK (NOT livemode)
  )`;

const SETTLEMENTS = `
  CREATE TABLE sandbox_settlements (
    account_id  uuid        NOT NULL,
    livemode    boolean     NOT NULL DEFAULT false,
    purchase_id uuid        NOT NULL,
    status      text        NOT NULL,
    settled_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_settlements_pkey PRIMARY KEY (account_id, purchase_id),
    CONSTRAINT sandbox_settlements_test_only CHECK (NOT livemode),
    CONSTRAINT sandbox_settlements_status CHECK (status IN ('successful', 'failed', 'reversed'))
  )`;

const OUTAGES = `
  CREATE TABLE sandbox_outages (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    provider   text        NOT NULL,
    mode       text        NOT NULL,
    calls      integer     NOT NULL DEFAULT 0,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_outages_pkey PRIMARY KEY (account_id, provider),
    CONSTRAINT sandbox_outages_test_only CHECK (NOT livemode),
    CONSTRAINT sandbox_outages_mode CHECK (mode IN ('down', 'slow', 'flaky', 'none'))
  )`;

/** What the operator of the sandbox knows. Nobody else writes here: it stands for the world outside. */
export class Sandbox1763000000012 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ORDERS);
    await db.query(`CREATE INDEX sandbox_orders_by_purchase ON sandbox_orders (account_id, purchase_id)`);
    await db.query(SETTLEMENTS);
    await db.query(OUTAGES);
    await db.query(`GRANT UPDATE ON sandbox_orders, sandbox_settlements, sandbox_outages TO duka_app`);
    // A clock that is told the same thing twice moves once: the last request that moved it.
    await db.query(`ALTER TABLE test_clocks ADD COLUMN last_key text, ADD COLUMN last_fingerprint bytea`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE test_clocks DROP COLUMN last_key, DROP COLUMN last_fingerprint`);
    await db.query(`DROP TABLE sandbox_outages, sandbox_settlements, sandbox_orders`);
  }
}

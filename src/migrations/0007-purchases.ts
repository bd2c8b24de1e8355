import type { MigrationInterface, QueryRunner } from 'typeorm';

const PURCHASES = `
  CREATE TABLE purchases (
    account_id        uuid        NOT NULL,
    livemode          boolean     NOT NULL,
    id                uuid        NOT NULL,
    product           text        NOT NULL,
    network           text        NOT NULL,
    variant           text,
    wallet_id         uuid        NOT NULL,
    total             bigint      NOT NULL,
    item              jsonb       NOT NULL,
    scenario          text,
    route             text        NOT NULL,
    options           jsonb       NOT NULL,
    deliver_by        timestamptz,
    queued            boolean     NOT NULL,
    attempts          integer     NOT NULL,
    checks            integer     NOT NULL,
    not_known         integer     NOT NULL,
    next_check_at     timestamptz,
    review            text,
    request_id        uuid,
    idempotency_key   text,
    CONSTRAINT purchases_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT purchases_product CHECK (product IN ('airtime', 'data', 'bills')),
    CONSTRAINT purchases_total_positive CHECK (total > 0)
  ) WITH (fillfactor = 80)`;

const ATTEMPTS = `
  CREATE TABLE purchase_attempts (
    account_id         uuid        NOT NULL,
    livemode           boolean     NOT NULL,
    id                 uuid        NOT NULL,
    purchase_id        uuid        NOT NULL,
    number             integer     NOT NULL,
    provider           text        NOT NULL,
    started_at         timestamptz NOT NULL,
    ended_at           timestamptz,
    outcome            text,
    code               text,
    message            text,
    provider_reference text,
    CONSTRAINT purchase_attempts_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT purchase_attempts_outcome CHECK (outcome IN ('delivered', 'not_delivered', 'unknown'))
  ) PARTITION BY RANGE (id)`;

const CHECKS = `
  CREATE TABLE purchase_checks (
    account_id  uuid NOT NULL,
    livemode    boolean NOT NULL,
    id          uuid NOT NULL,
    purchase_id uuid NOT NULL,
    provider    text NOT NULL,
    outcome     text NOT NULL,
    code        text,
    CONSTRAINT purchase_checks_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT purchase_checks_outcome CHECK (outcome IN ('delivered', 'not_delivered', 'unknown', 'not_known',
      'reversed'))
  ) PARTITION BY RANGE (id)`;

const FEES = `
  CREATE TABLE fees (
    product      text    NOT NULL,
    tier         text    NOT NULL,
    currency     text    NOT NULL,
    flat         bigint  NOT NULL,
    basis_points integer NOT NULL,
    cap          bigint,
    CONSTRAINT fees_pkey PRIMARY KEY (product, tier, currency),
    CONSTRAINT fees_not_negative CHECK (flat >= 0 AND basis_points >= 0 AND cap >= 0)
  )`;

const ROUTES = `
  CREATE TABLE provider_routes (
    product  text    NOT NULL,
    network  text    NOT NULL,
    livemode boolean NOT NULL,
    provider text    NOT NULL,
    position integer NOT NULL,
    weight   integer NOT NULL DEFAULT 1,
    enabled  boolean NOT NULL DEFAULT true,
    CONSTRAINT provider_routes_pkey PRIMARY KEY (product, network, livemode, provider),
    CONSTRAINT provider_routes_weight CHECK (weight > 0)
  )`;

const RESOLUTIONS = `
  CREATE TABLE purchase_resolutions (
    account_id  uuid        NOT NULL,
    livemode    boolean     NOT NULL,
    purchase_id uuid        NOT NULL,
    person      text        NOT NULL,
    outcome     text        NOT NULL,
    note        text        NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT purchase_resolutions_pkey PRIMARY KEY (account_id, livemode, purchase_id, person),
    CONSTRAINT purchase_resolutions_outcome CHECK (outcome IN ('delivered', 'not_delivered', 'reversed'))
  )`;

const TEST_CLOCKS = `
  CREATE TABLE test_clocks (
    account_id uuid   NOT NULL,
    offset_ms  bigint NOT NULL,
    CONSTRAINT test_clocks_pkey PRIMARY KEY (account_id),
    CONSTRAINT test_clocks_forward CHECK (offset_ms >= 0)
  )`;

export class Purchases1763000000007 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(TEST_CLOCKS);
    await db.query(`GRANT UPDATE ON test_clocks TO duka_app`);
    await db.query(PURCHASES);
    await db.query(`CREATE INDEX purchases_due ON purchases (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`CREATE INDEX purchases_queued ON purchases (wallet_id, id) WHERE queued`);
    await db.query(`GRANT UPDATE ON purchases TO duka_app`);
    await db.query(ATTEMPTS);
    await db.query(`CREATE INDEX purchase_attempts_by_purchase ON purchase_attempts (account_id, purchase_id, id)`);
    await db.query(`GRANT UPDATE ON purchase_attempts TO duka_app`);
    await db.query(CHECKS);
    await db.query(`CREATE INDEX purchase_checks_by_purchase ON purchase_checks (account_id, purchase_id, id)`);
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type) VALUES ('purchase_attempts', 'uuid'), ('purchase_checks',
        'uuid')`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(FEES);
    await db.query(
      `INSERT INTO fees (product, tier, currency, flat, basis_points, cap)
        VALUES ('bills', 'standard', 'NGN', 10000, 0, NULL)`,
    );
    await db.query(ROUTES);
    await db.query(`
      INSERT INTO provider_routes (product, network, livemode, provider, position)
      SELECT product, '*', false, provider, position
        FROM (VALUES ('airtime'), ('data'), ('bills')) AS p(product), (VALUES ('sandbox', 1), ('sandbox_backup', 2)) AS
          r(provider, position)`);
    await db.query(RESOLUTIONS);
    await db.query(`GRANT UPDATE ON fees, provider_routes TO duka_app`);
    await db.query(`ALTER TABLE accounts ADD COLUMN tier text NOT NULL DEFAULT 'standard'`);
    await db.query(`ALTER TABLE transactions ADD COLUMN secrets bytea`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE transactions DROP COLUMN secrets`);
    await db.query(`ALTER TABLE accounts DROP COLUMN tier`);
    await db.query(
      `DROP TABLE purchase_resolutions, provider_routes, fees, purchase_checks, purchase_attempts, purchases,
        test_clocks`,
    );
    await db.query(`DELETE FROM partitioned_tables WHERE name IN ('purchase_attempts', 'purchase_checks')`);
  }
}

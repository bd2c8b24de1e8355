import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAYMENTS = `
  CREATE TABLE payments (
    account_id        uuid        NOT NULL,
    livemode          boolean     NOT NULL,
    id                uuid        NOT NULL,
    status            text        NOT NULL,
    amount            bigint      NOT NULL,
    fee               bigint      NOT NULL,
    currency          text        NOT NULL,
    wallet_id         uuid        NOT NULL,
    gateways          text        NOT NULL,
    options           jsonb       NOT NULL,
    gateway           text,
    gateway_reference text,
    page              jsonb,
    reference         text,
    description       text,
    customer          jsonb,
    callback_url      text,
    metadata          jsonb       NOT NULL,
    breakdown         jsonb       NOT NULL,
    amount_received   bigint,
    failure           jsonb,
    review            text,
    transaction_id    uuid,
    expires_at        timestamptz NOT NULL,
    paid_at           timestamptz,
    next_check_at     timestamptz,
    checks            integer     NOT NULL,
    version           integer     NOT NULL,
    request_id        uuid,
    idempotency_key   text,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT payments_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT payments_status CHECK (status IN ('pending', 'processing', 'successful', 'failed', 'expired',
      'cancelled', 'reversed')),
    CONSTRAINT payments_amounts CHECK (fee >= 0 AND amount > fee),
    CONSTRAINT payments_credited CHECK ((status IN ('successful', 'reversed')) = (transaction_id IS NOT NULL))
  ) WITH (fillfactor = 80)`;

const CALLBACKS = `
  CREATE TABLE payment_callbacks (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    payment_id uuid    NOT NULL,
    gateway    text    NOT NULL,
    says       text,
    CONSTRAINT payment_callbacks_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

const CHECKS = `
  CREATE TABLE payment_checks (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    payment_id uuid    NOT NULL,
    gateway    text    NOT NULL,
    call       text    NOT NULL,
    outcome    text    NOT NULL,
    code       text,
    CONSTRAINT payment_checks_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT payment_checks_call CHECK (call IN ('start', 'query'))
  ) PARTITION BY RANGE (id)`;

const RESOLUTIONS = `
  CREATE TABLE payment_resolutions (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    payment_id uuid        NOT NULL,
    version    integer     NOT NULL,
    person     text        NOT NULL,
    outcome    text        NOT NULL,
    note       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT payment_resolutions_pkey PRIMARY KEY (account_id, livemode, payment_id, version, person),
    CONSTRAINT payment_resolutions_outcome CHECK (outcome IN ('successful', 'failed', 'reversed', 'unchanged'))
  )`;

const SANDBOX = `
  CREATE TABLE sandbox_gateway_orders (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    payment_id uuid        NOT NULL,
    gateway    text        NOT NULL,
    amount     bigint      NOT NULL,
    currency   text        NOT NULL,
    outcome    text,
    ready_at   timestamptz,
    CONSTRAINT sandbox_gateway_orders_pkey PRIMARY KEY (account_id, payment_id),
    CONSTRAINT sandbox_gateway_orders_test_only CHECK (NOT livemode)
  )`;

/** Money in: payments, what gateways said about them, what people decided, and the world of the sandbox's gateways. */
export class Payments1763000000015 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(PAYMENTS);
    await db.query(`CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(
      `CREATE UNIQUE INDEX payments_by_transaction ON payments (account_id, livemode, transaction_id)
        WHERE transaction_id IS NOT NULL`,
    );
    await db.query(
      `CREATE INDEX payments_by_reference ON payments (account_id, livemode, reference) WHERE reference IS NOT NULL`,
    );
    await db.query(`CREATE INDEX payments_in_review ON payments (account_id, id) WHERE review IS NOT NULL`);
    await db.query(`GRANT UPDATE ON payments TO duka_app`);
    await db.query(CALLBACKS);
    await db.query(`CREATE INDEX payment_callbacks_by_payment ON payment_callbacks (account_id, payment_id, id)`);
    await db.query(CHECKS);
    await db.query(`CREATE INDEX payment_checks_by_payment ON payment_checks (account_id, payment_id, id)`);
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type) VALUES ('payment_callbacks', 'uuid'), ('payment_checks',
        'uuid')`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(RESOLUTIONS);
    await db.query(SANDBOX);
    await db.query(`GRANT UPDATE ON sandbox_gateway_orders TO duka_app`);
    await db.query(
      `INSERT INTO fees (product, tier, currency, flat, basis_points, cap)
        VALUES ('payment', 'standard', 'NGN', 0, 150, 200000)`,
    );
    await db.query(`
      INSERT INTO provider_routes (product, network, livemode, provider, position)
      VALUES ('payment', '*', false, 'sandbox_card', 1), ('payment', '*', false, 'sandbox_bank_transfer', 2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'payment'`);
    await db.query(`DELETE FROM fees WHERE product = 'payment'`);
    await db.query(
      `DROP TABLE sandbox_gateway_orders, payment_resolutions, payment_checks, payment_callbacks, payments`,
    );
    await db.query(`DELETE FROM partitioned_tables WHERE name IN ('payment_callbacks', 'payment_checks')`);
  }
}

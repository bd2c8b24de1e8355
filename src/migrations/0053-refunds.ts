import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, once, reword } from './online';

/** Money that goes back to payers. Of a payment that was never credited no wallet pays, and there is no transaction. */
const REFUNDS = `
  CREATE TABLE refunds (
    account_id        uuid        NOT NULL,
    livemode          boolean     NOT NULL,
    id                uuid        NOT NULL,
    payment_id        uuid        NOT NULL,
    status            text        NOT NULL,
    wallet_id         uuid,
    transaction_id    uuid,
    amount            bigint      NOT NULL,
    fee               bigint      NOT NULL,
    currency          text        NOT NULL,
    gateway           text        NOT NULL,
    gateway_reference text,
    reference         text,
    reason            text,
    metadata          jsonb       NOT NULL,
    breakdown         jsonb       NOT NULL,
    failure           jsonb,
    attempts          integer     NOT NULL,
    checks            integer     NOT NULL,
    next_check_at     timestamptz,
    review            text,
    reviews           integer     NOT NULL,
    version           integer     NOT NULL,
    request_id        uuid,
    idempotency_key   text,
    updated_at        timestamptz NOT NULL,
    completed_at      timestamptz,
    CONSTRAINT refunds_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT refunds_status CHECK (status IN ('pending', 'processing', 'successful', 'failed')),
    CONSTRAINT refunds_amounts CHECK (amount > 0 AND fee >= 0),
    CONSTRAINT refunds_paid_by CHECK ((wallet_id IS NULL) = (transaction_id IS NULL)
      AND (wallet_id IS NOT NULL OR fee = 0)),
    CONSTRAINT refunds_asked CHECK ((status = 'pending') = (attempts = 0)),
    CONSTRAINT refunds_ended CHECK ((status IN ('successful', 'failed')) = (completed_at IS NOT NULL)),
    CONSTRAINT refunds_proven CHECK (status <> 'successful' OR gateway_reference IS NOT NULL OR reviews > 0)
  ) WITH (fillfactor = 80)`;

/** What gateways answered about refunds. */
const CHECKS = `
  CREATE TABLE refund_checks (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    refund_id  uuid    NOT NULL,
    gateway    text    NOT NULL,
    call       text    NOT NULL,
    outcome    text    NOT NULL,
    code       text,
    amount     bigint,
    CONSTRAINT refund_checks_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT refund_checks_call CHECK (call IN ('refund', 'find_refund', 'query'))
  ) PARTITION BY RANGE (id)`;

/** What the sandbox's gateways were asked to give back. */
const SANDBOX = `
  CREATE TABLE sandbox_gateway_refunds (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    payment_id uuid        NOT NULL,
    reference  text        NOT NULL,
    amount     bigint      NOT NULL,
    outcome    text        NOT NULL,
    asked      integer     NOT NULL,
    ready_at   timestamptz NOT NULL,
    CONSTRAINT sandbox_gateway_refunds_pkey PRIMARY KEY (account_id, payment_id, reference),
    CONSTRAINT sandbox_gateway_refunds_test_only CHECK (NOT livemode)
  )`;

/** Refunds of payments, what payments know of them, and what is done by itself with another amount. */
export class Refunds1763000000053 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'refunds', () => this.makeTables(db));
    await db.query(`
      ALTER TABLE payments
        ADD COLUMN IF NOT EXISTS refunds_made bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS refunds_running bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS on_underpaid text NOT NULL DEFAULT 'review',
        ADD COLUMN IF NOT EXISTS on_overpaid text NOT NULL DEFAULT 'review'`);
    await constrain(db, 'payments', {
      payments_refunds: `refunds_made >= 0 AND refunds_running >= 0
        AND refunds_made <= amount_refunded AND amount_refunded + refunds_running <= coalesce(amount_received, 0)`,
      payments_policies: `on_underpaid IN ('review', 'accept_received', 'refund')
        AND on_overpaid IN ('review', 'accept_received', 'refund')`,
    });
    await reword(db, ['transactions', 'type'], ['payment_refund'], true);
    await reword(db, ['review_verdicts', 'resource'], ['rfd'], true);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    for (const table of [REFUNDS, CHECKS, SANDBOX]) await db.query(table);
    await db.query(`CREATE INDEX refunds_due ON refunds (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`CREATE INDEX refunds_by_payment ON refunds (account_id, livemode, payment_id, id)`);
    await db.query(`CREATE INDEX refunds_in_review ON refunds (account_id, id) WHERE review IS NOT NULL`);
    await db.query(
      `CREATE INDEX refunds_by_reference ON refunds (account_id, livemode, reference) WHERE reference IS NOT NULL`,
    );
    // What the gateway did once, settles one refund.
    await db.query(`CREATE UNIQUE INDEX refunds_by_gateway_reference
      ON refunds (account_id, livemode, payment_id, gateway_reference) WHERE gateway_reference IS NOT NULL`);
    await db.query(`CREATE UNIQUE INDEX refunds_by_transaction
      ON refunds (account_id, livemode, transaction_id) WHERE transaction_id IS NOT NULL`);
    await db.query(`GRANT UPDATE ON refunds, sandbox_gateway_refunds TO duka_app`);
    await db.query(`CREATE INDEX refund_checks_by_refund ON refund_checks (account_id, refund_id, id)`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('refund_checks', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await reword(db, ['review_verdicts', 'resource'], ['rfd'], false);
    await reword(db, ['transactions', 'type'], ['payment_refund'], false);
    await db.query(`ALTER TABLE payments DROP COLUMN refunds_made, DROP COLUMN refunds_running,
      DROP COLUMN on_underpaid, DROP COLUMN on_overpaid`);
    await db.query(`DROP TABLE sandbox_gateway_refunds, refund_checks, refunds`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'refund_checks'`);
  }
}

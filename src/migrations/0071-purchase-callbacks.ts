import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, once } from './online';

/** What providers of purchases said unasked. */
const CALLBACKS = `
  CREATE TABLE purchase_callbacks (
    account_id  uuid    NOT NULL,
    livemode    boolean NOT NULL,
    id          uuid    NOT NULL,
    purchase_id uuid    NOT NULL,
    attempt_id  uuid    NOT NULL,
    provider    text    NOT NULL,
    says        text,
    CONSTRAINT purchase_callbacks_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

/** Callbacks that the operator of the sandbox has still to make; the id is the reference of the order. */
const SANDBOX_CALLBACKS = `
  CREATE TABLE sandbox_callbacks (
    account_id    uuid        NOT NULL,
    livemode      boolean     NOT NULL DEFAULT false,
    id            uuid        NOT NULL,
    provider      text        NOT NULL,
    says          text        NOT NULL,
    manner        text        NOT NULL,
    next_check_at timestamptz,
    CONSTRAINT sandbox_callbacks_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT sandbox_callbacks_test_only CHECK (NOT livemode)
  )`;

export class PurchaseCallbacks1763000000071 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'purchase_callbacks', () => this.makeTables(db));
    // A callback names an attempt, and not whose it is.
    await addIndex(db, 'purchase_attempts_by_id', 'purchase_attempts', '(id)');
    await db.query(`ALTER TABLE purchases ADD COLUMN IF NOT EXISTS called_at timestamptz`);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    await db.query(CALLBACKS);
    await db.query(`CREATE INDEX purchase_callbacks_by_purchase ON purchase_callbacks (account_id, purchase_id, id)`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('purchase_callbacks', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(SANDBOX_CALLBACKS);
    await db.query(
      `CREATE INDEX sandbox_callbacks_due ON sandbox_callbacks (next_check_at) WHERE next_check_at IS NOT NULL`,
    );
    await db.query(`GRANT UPDATE ON sandbox_callbacks TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE sandbox_callbacks, purchase_callbacks`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'purchase_callbacks'`);
    await db.query(`DROP INDEX purchase_attempts_by_id`);
    await db.query(`ALTER TABLE purchases DROP COLUMN called_at`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, once } from './online';

/** From which amount on an account's refunds need a second person, in minor units. */
const RULES = `
  CREATE TABLE refund_rules (
    account_id     uuid    NOT NULL,
    livemode       boolean NOT NULL,
    currency       text    NOT NULL,
    approval_above bigint,
    CONSTRAINT refund_rules_pkey PRIMARY KEY (account_id, livemode, currency),
    CONSTRAINT refund_rules_amounts CHECK (approval_above >= 0)
  )`;

/** A refund that is cancelled was never asked for, and none is before the second person let it go. */
const REFUNDS = {
  refunds_status: `status IN ('pending', 'processing', 'successful', 'failed', 'cancelled')`,
  refunds_asked: `(status IN ('pending', 'cancelled')) = (attempts = 0)`,
  refunds_ended: `(status IN ('successful', 'failed', 'cancelled')) = (completed_at IS NOT NULL)`,
  refunds_approval: `approval IN ('awaiting', 'approved', 'declined', 'expired', 'cancelled')`,
  refunds_approve_by: '(approval IS NULL) = (approve_by IS NULL)',
  refunds_approved: `attempts = 0 OR approval IS NULL OR approval = 'approved'`,
  refunds_cancelled: `status = 'cancelled' OR approval IN ('awaiting', 'approved')`,
};

/** The version before would send them to their gateways. */
const NONE_WAITS = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM refunds WHERE approval = 'awaiting') THEN
      RAISE 'refunds wait for a second person: have them decided first';
    END IF;
  END $$`;

/** What was cancelled stays: the constraints of before hold for what comes. */
const REFUNDS_BEFORE = `
  ALTER TABLE refunds DROP COLUMN approval, DROP COLUMN approve_by,
    DROP CONSTRAINT refunds_status, DROP CONSTRAINT refunds_asked, DROP CONSTRAINT refunds_ended,
    ADD CONSTRAINT refunds_status CHECK (status IN ('pending', 'processing', 'successful', 'failed')) NOT VALID,
    ADD CONSTRAINT refunds_asked CHECK ((status = 'pending') = (attempts = 0)) NOT VALID,
    ADD CONSTRAINT refunds_ended CHECK ((status IN ('successful', 'failed')) = (completed_at IS NOT NULL)) NOT VALID`;

const CONSTRAINTS = ['pkey', 'decision', 'two_people', 'decided'];

/** The table with its constraints and its index. */
async function rename(db: QueryRunner, from: string, to: string): Promise<void> {
  await db.query(`ALTER TABLE ${from} RENAME TO ${to}`);
  for (const name of CONSTRAINTS)
    await db.query(`ALTER TABLE ${to} RENAME CONSTRAINT ${from}_${name} TO ${to}_${name}`);
  await db.query(`ALTER INDEX ${from}_waiting RENAME TO ${to}_waiting`);
}

/** Refunds wait for a second person as payouts do. */
export class RefundApprovals1763000000097 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'refund_rules', () => this.makeTables(db));
    await db.query(`ALTER TABLE refunds ADD COLUMN IF NOT EXISTS approval text,
      ADD COLUMN IF NOT EXISTS approve_by timestamptz`);
    await constrain(db, 'refunds', REFUNDS);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    await rename(db, 'payout_approvals', 'approvals');
    // For processes of the version before, which are not stopped yet.
    await db.query(`CREATE VIEW payout_approvals AS SELECT * FROM approvals`);
    await db.query(`GRANT UPDATE (decision, decided_by, decided_at) ON payout_approvals TO duka_app`);
    await db.query(RULES);
    await db.query(`REVOKE INSERT ON refund_rules FROM duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(NONE_WAITS);
    await db.query(`DELETE FROM approvals a USING refunds r
      WHERE r.account_id = a.account_id AND r.livemode = a.livemode AND r.transaction_id = a.id`);
    await db.query(REFUNDS_BEFORE);
    await db.query(`DROP TABLE refund_rules`);
    await db.query(`DROP VIEW payout_approvals`);
    await rename(db, 'approvals', 'payout_approvals');
  }
}

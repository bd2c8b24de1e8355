import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

/**
 * What observers are told of payments that did not come to be. An `open` row is written before the gates are asked and
 * goes with the payment that they let pass; one that is still there after `due_at` is told like any other.
 */
export class RefusedPayments1763000000046 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE hook_jobs
        ADD COLUMN IF NOT EXISTS request_id uuid,
        ADD COLUMN IF NOT EXISTS refusal jsonb,
        ALTER COLUMN event_type DROP NOT NULL`);
    await constrain(db, 'hook_jobs', {
      hook_jobs_about: '(event_type IS NULL) = (refusal IS NOT NULL)',
      hook_jobs_status: `status IN ('open', 'waiting', 'done', 'given_up')`,
      hook_jobs_due: `(due_at IS NULL) = (status IN ('done', 'given_up'))`,
    });
    await db.query(`GRANT DELETE ON hook_jobs TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`REVOKE DELETE ON hook_jobs FROM duka_app`);
    await db.query(`DELETE FROM hook_jobs WHERE refusal IS NOT NULL`);
    await db.query(`
      ALTER TABLE hook_jobs
        DROP CONSTRAINT hook_jobs_about,
        DROP CONSTRAINT hook_jobs_status,
        ADD CONSTRAINT hook_jobs_status CHECK (status IN ('waiting', 'done', 'given_up')),
        DROP CONSTRAINT hook_jobs_due,
        ADD CONSTRAINT hook_jobs_due CHECK ((due_at IS NULL) = (status <> 'waiting')),
        ALTER COLUMN event_type SET NOT NULL,
        DROP COLUMN request_id,
        DROP COLUMN refusal`);
  }
}

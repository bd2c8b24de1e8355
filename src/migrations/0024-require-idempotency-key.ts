import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts may demand that each of their requests that moves money can be known again. */
export class RequireIdempotencyKey1763000000024 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts ADD COLUMN require_idempotency_key boolean NOT NULL DEFAULT false`);
    await db.query(`GRANT INSERT (require_idempotency_key) ON accounts TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts DROP COLUMN require_idempotency_key`);
  }
}

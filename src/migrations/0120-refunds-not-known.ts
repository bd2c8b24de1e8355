import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A gateway that does not know of a refund is asked for it again only after some time and several such answers. */
export class RefundsNotKnown1763000000120 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE refunds ADD COLUMN asked_at timestamptz,
      ADD COLUMN not_known integer NOT NULL DEFAULT 0`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE refunds DROP COLUMN asked_at, DROP COLUMN not_known');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A purchase counts its reviews: one that was looked at and left as it is may be called for again, and what was decided
 * before does not count then.
 */
export class PurchaseReviews1763000000049 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases ADD COLUMN IF NOT EXISTS reviews integer NOT NULL DEFAULT 0`);
    await db.query(`
      UPDATE purchases p SET reviews = v.round
        FROM (SELECT account_id, livemode, resource_id, max(round) AS round FROM review_verdicts WHERE resource = 'txn'
          AND round > 0 GROUP BY account_id, livemode, resource_id) v
       WHERE p.account_id = v.account_id AND p.livemode = v.livemode AND p.id = v.resource_id`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases DROP COLUMN reviews`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What providers took for what they delivered, where they say it: the rest of the price is ours. */
export class CostsOfPurchases1763000000074 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_attempts ADD COLUMN cost bigint`);
    await db.query(`ALTER TABLE purchase_attempts ADD CONSTRAINT purchase_attempts_cost CHECK (cost > 0) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_attempts DROP COLUMN cost`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a purchase's providers came in their order, where several stand at one position. */
export class SharesOfRoutes1763000000076 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases ADD COLUMN shares jsonb`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases DROP COLUMN shares`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key took the place of one: a key is rolled once. */
export class RolledKeys1763000000060 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE api_keys ADD COLUMN rolled_to uuid`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE api_keys DROP COLUMN rolled_to`);
  }
}

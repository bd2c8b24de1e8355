import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests whose client hung up are logged as 499, with what was answered to nobody; the client's address may not be
 * known any more.
 */
export class HangUps1763000000029 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE request_log ADD COLUMN handled_status integer, ALTER COLUMN ip DROP NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`UPDATE request_log SET ip = '' WHERE ip IS NULL`);
    await db.query(`ALTER TABLE request_log DROP COLUMN handled_status, ALTER COLUMN ip SET NOT NULL`);
  }
}

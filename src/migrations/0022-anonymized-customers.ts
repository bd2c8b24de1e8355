import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cardholders whose personal data was emptied, and which request registered each: its body in the request log is
 * emptied with it.
 */
export class AnonymizedCustomers1763000000022 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE customers ADD COLUMN anonymized_at timestamptz, ADD COLUMN request_id uuid`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE customers DROP COLUMN anonymized_at, DROP COLUMN request_id`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The currency of what a provider took, where our money there is in another one than what was sold. */
export class CurrenciesOfCosts1763000000080 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_attempts ADD COLUMN cost_currency text`);
    await db.query(`
      ALTER TABLE purchase_attempts
        ADD CONSTRAINT purchase_attempts_cost_currency CHECK (cost_currency IS NULL OR cost IS NOT NULL) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_attempts DROP COLUMN cost_currency`);
  }
}

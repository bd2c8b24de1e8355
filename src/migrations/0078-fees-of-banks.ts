import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What whoever has virtual accounts for us keeps of a deposit, where they say it. Minor units. */
export class FeesOfBanks1763000000078 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE deposits ADD COLUMN provider_fee bigint`);
    await db.query(`ALTER TABLE deposits ADD CONSTRAINT deposits_provider_fee CHECK (provider_fee >= 0) NOT VALID`);
    await db.query(`GRANT UPDATE (provider_fee) ON deposits TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE deposits DROP COLUMN provider_fee`);
  }
}

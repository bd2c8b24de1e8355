import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What gateways keep of what arrived, where they say it. Minor units. */
export class FeesOfGateways1763000000077 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE payments ADD COLUMN gateway_fee bigint`);
    await db.query(`ALTER TABLE payments ADD CONSTRAINT payments_gateway_fee CHECK (gateway_fee >= 0) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE payments DROP COLUMN gateway_fee`);
  }
}

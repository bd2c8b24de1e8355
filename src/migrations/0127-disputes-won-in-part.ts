import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

/** An issuer that lets a cardholder have a part of what is disputed. */
export class DisputesWonInPart1763000000127 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE disputes ADD COLUMN IF NOT EXISTS won_amount bigint');
    await constrain(db, 'disputes', {
      disputes_won_amount: `won_amount IS NULL OR (status = 'won' AND won_amount > 0 AND won_amount < amount)`,
    });
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE disputes DROP COLUMN won_amount');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain } from './online';

/** A record says that it waits for a person, and a purchase keeps what a provider answered at first. */
export class NeedsReview1763000000021 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE transactions ADD COLUMN IF NOT EXISTS needs_review boolean NOT NULL DEFAULT false`);
    await db.query(`
      UPDATE transactions t SET needs_review = true FROM purchases p
       WHERE p.review IS NOT NULL AND t.account_id = p.account_id AND t.livemode = p.livemode AND t.id = p.id`);
    await addIndex(db, 'transactions_in_review', 'transactions', '(account_id, livemode, id) WHERE needs_review');
    await db.query(`ALTER TABLE purchase_checks ADD COLUMN IF NOT EXISTS call text NOT NULL DEFAULT 'find'`);
    await constrain(db, 'purchase_checks', { purchase_checks_call: `call IN ('purchase', 'find')` });
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_checks DROP COLUMN call`);
    await db.query(`ALTER TABLE transactions DROP COLUMN needs_review`);
  }
}

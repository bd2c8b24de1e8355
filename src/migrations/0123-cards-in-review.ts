import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, reword } from './online';

/** Cards that no issuer decides about wait for people; and one that its issuer does not know is not at once lost. */
export class CardsInReview1763000000123 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE cards
        ADD COLUMN IF NOT EXISTS asked_at timestamptz, ADD COLUMN IF NOT EXISTS not_known integer NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS review text, ADD COLUMN IF NOT EXISTS reviews integer NOT NULL DEFAULT 0`);
    await addIndex(db, 'cards_in_review', 'cards', '(account_id, id) WHERE review IS NOT NULL');
    await reword(db, ['review_verdicts', 'resource'], ['crd'], true);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM review_verdicts WHERE resource = 'crd'`);
    await reword(db, ['review_verdicts', 'resource'], ['crd'], false);
    await db.query(
      'ALTER TABLE cards DROP COLUMN asked_at, DROP COLUMN not_known, DROP COLUMN review, DROP COLUMN reviews',
    );
  }
}

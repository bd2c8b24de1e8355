import type { MigrationInterface, QueryRunner } from 'typeorm';

const issued = (nothingMissing: string): string => `ALTER TABLE cards DROP CONSTRAINT cards_issued,
  ADD CONSTRAINT cards_issued CHECK (status IN ('pending', 'failed') OR ${nothingMissing})`;

/** Not every issuer tells us when its cards expire: then none of the three is known. */
export class CardsWithoutExpiry1763000000079 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      issued(`num_nulls(last4, issuer_reference) = 0 AND num_nulls(exp_month, exp_year, expires_at) IN (0, 3)`),
    );
  }

  /** Fails while there are cards of such an issuer. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(issued('num_nulls(last4, exp_month, exp_year, expires_at, issuer_reference) = 0'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

const issued = (db: QueryRunner, nothingMissing: string): Promise<void> =>
  constrain(db, 'cards', { cards_issued: `status IN ('pending', 'failed') OR ${nothingMissing}` });

/** Not every issuer tells us when its cards expire: then none of the three is known. */
export class CardsWithoutExpiry1763000000079 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await issued(db, 'num_nulls(last4, issuer_reference) = 0 AND num_nulls(exp_month, exp_year, expires_at) IN (0, 3)');
  }

  /** Fails while there are cards of such an issuer. */
  async down(db: QueryRunner): Promise<void> {
    await issued(db, 'num_nulls(last4, exp_month, exp_year, expires_at, issuer_reference) = 0');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

/** Beside keys and references: what a request without either looks like, for two minutes of the account's clock. */
export class LookAlikes1763000000023 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE claims ADD COLUMN IF NOT EXISTS expires_at timestamptz`);
    await constrain(db, 'claims', {
      claims_kind: `kind IN ('key', 'reference') AND expires_at IS NULL
        OR kind = 'likeness' AND expires_at IS NOT NULL`,
    });
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM claims WHERE kind = 'likeness'`);
    await db.query(`ALTER TABLE claims DROP CONSTRAINT claims_kind, DROP COLUMN expires_at`);
    await db.query(`ALTER TABLE claims ADD CONSTRAINT claims_kind CHECK (kind IN ('key', 'reference'))`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was said of a wallet held up to an entry of its ledger account: which of the two came first is decided by that
 * account's lock. Null of what older versions of the service wrote, who knew the event only.
 */
export class VersionsUntilAnEntry1763000000115 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE wallet_versions ADD COLUMN IF NOT EXISTS until_seq bigint');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE wallet_versions DROP COLUMN until_seq');
  }
}

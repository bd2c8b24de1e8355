import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * While somebody holds a snapshot every version of a balance stays, and each that finds no room beside the one before
 * is compared with all of them in the indexes. More room, fewer of those. It holds for pages that are filled from now
 * on.
 */
export class RoomForVersions1763000000134 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE ledger_accounts SET (fillfactor = 20)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE ledger_accounts SET (fillfactor = 40)');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain } from './online';

const PLATFORM = '00000000-0000-0000-0000-000000000000';

/**
 * While somebody holds a snapshot every version of a balance stays, and each that finds no room beside the one before
 * was compared with all of them in the primary key, and the newest was looked for among all. `place` grows each time
 * that a balance moves to another page, so that both find few with the same. Ids of accounts' ledger accounts are those
 * of wallets and cards, which are there once; of the platform's, which whoever needs one first makes, the key says so.
 */
export class PlacesOfVersions1763000000136 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE ledger_accounts ADD COLUMN IF NOT EXISTS place bigint NOT NULL DEFAULT 0');
    await constrain(db, 'ledger_accounts', {
      ledger_accounts_place: `place = 0 OR (place > 0 AND account_id <> '${PLATFORM}')`,
    });
    await db.query('GRANT UPDATE (place) ON ledger_accounts TO duka_app');
    await addIndex(db, 'ledger_accounts_newest', 'ledger_accounts', '(id, place)');
    await replaceKey(db, '(account_id, id, place)');
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_accounts_by_id');
  }

  async down(db: QueryRunner): Promise<void> {
    await addIndex(db, 'ledger_accounts_by_id', 'ledger_accounts', '(id)');
    await replaceKey(db, '(account_id, id)');
    await db.query('DROP INDEX ledger_accounts_newest');
    await db.query('ALTER TABLE ledger_accounts DROP COLUMN place');
  }
}

/** Under its name: the version before asks for it. */
async function replaceKey(db: QueryRunner, columns: string): Promise<void> {
  await addIndex(db, 'ledger_accounts_key', 'ledger_accounts', columns, 'UNIQUE INDEX');
  await db.query(`
    ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_pkey,
      ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY USING INDEX ledger_accounts_key`);
}

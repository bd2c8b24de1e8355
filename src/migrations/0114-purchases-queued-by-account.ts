import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

const BY_WALLET = 'purchases_queued';

/** Money that comes in is asked what it can pay: of the account, before any of its wallets is looked at. */
export class PurchasesQueuedByAccount1763000000114 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await addIndex(db, 'purchases_queued_by_account', 'purchases', '(account_id, id) WHERE queued');
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_WALLET}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX ${BY_WALLET} ON purchases (wallet_id, id) WHERE queued`);
    await db.query(`DROP INDEX purchases_queued_by_account`);
  }
}

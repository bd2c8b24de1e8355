import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

const BY_WALLET_ALONE = 'transactions_by_wallet';

/**
 * A page of a wallet's transactions is asked for with its account, too. Where the index had the wallet alone, the plan
 * was to read all that the account has in the primary key, and to see which of it is the wallet's.
 */
export class TransactionsOfWallets1763000000135 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await addIndex(db, 'transactions_of_wallet', 'transactions', '(account_id, livemode, wallet_id, id)');
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_WALLET_ALONE}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX ${BY_WALLET_ALONE} ON transactions (wallet_id, id)`);
    await db.query(`DROP INDEX transactions_of_wallet`);
  }
}

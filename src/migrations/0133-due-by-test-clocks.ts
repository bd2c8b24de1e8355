import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

const TABLES = [
  'batches',
  'card_transactions',
  'cards',
  'cell_transfers',
  'customers',
  'deposits',
  'disputes',
  'payments',
  'purchases',
  'refunds',
  'reports',
  'sandbox_callbacks',
  'virtual_accounts',
] as const;

/** What is due by the test clock of an account is found by the account: what all others wait for is not read. */
export class DueByTestClocks1763000000133 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await addIndex(
        db,
        `${table}_due_in_test`,
        table,
        '(account_id, next_check_at) WHERE next_check_at IS NOT NULL AND NOT livemode',
      );
    // Claims are forgotten page by page.
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS claims_by_time');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX claims_by_time ON claims USING brin (created_at)');
    for (const table of TABLES) await db.query(`DROP INDEX ${table}_due_in_test`);
  }
}

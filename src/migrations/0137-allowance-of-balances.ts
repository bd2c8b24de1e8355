import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No table changes as often as this one. All that autovacuum does shares one allowance, so while it went through
 * large months, balances waited for minutes, and grew. They have an allowance of their own.
 */
export class AllowanceOfBalances1763000000137 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE ledger_accounts SET (autovacuum_vacuum_cost_delay = 2)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE ledger_accounts RESET (autovacuum_vacuum_cost_delay)');
  }
}

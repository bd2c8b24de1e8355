import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, reword } from './online';

const empty = (statuses: string): Record<string, string> => ({
  ledger_accounts_closed_is_empty: `status NOT IN (${statuses}) OR (available = 0 AND held = 0)`,
});

/** Of a ledger account that went to another cell its entries stay: they are sealed. Nothing is posted to it again. */
export class MovedLedgerAccounts1763000000108 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await reword(db, ['ledger_accounts', 'status'], ['moved'], true);
    await constrain(db, 'ledger_accounts', empty(`'closed', 'moved'`));
  }

  async down(db: QueryRunner): Promise<void> {
    await constrain(db, 'ledger_accounts', empty(`'closed'`));
    await reword(db, ['ledger_accounts', 'status'], ['moved'], false);
  }
}

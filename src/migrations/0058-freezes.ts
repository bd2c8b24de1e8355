import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain } from './online';

const DIRECTION = `IN ('debit', 'credit', 'both')`;

/** What only operators set: a process of the application can neither freeze an account nor let it go. */
const OF_OPERATORS = ['account_freeze', 'account_frozen_until'];

/**
 * Freezes have a direction and may end by themselves. A wallet has that of its owner, and like a card that of its
 * account, which every new wallet is made with.
 */
export class Freezes1763000000058 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE ledger_accounts
        ADD COLUMN IF NOT EXISTS freeze_direction text,
        ADD COLUMN IF NOT EXISTS freeze_reason text,
        ADD COLUMN IF NOT EXISTS frozen_until timestamptz,
        ADD COLUMN IF NOT EXISTS account_freeze text,
        ADD COLUMN IF NOT EXISTS account_frozen_until timestamptz`);
    // Until now a frozen wallet received.
    await db.query(`UPDATE ledger_accounts SET freeze_direction = 'debit' WHERE status = 'frozen'
      AND freeze_direction IS NULL`);
    await constrain(db, 'ledger_accounts', {
      ledger_accounts_freeze: `freeze_direction ${DIRECTION} AND account_freeze ${DIRECTION}
        AND (status = 'frozen') = (freeze_direction IS NOT NULL)`,
      ledger_accounts_frozen_until: `(frozen_until IS NULL OR freeze_direction IS NOT NULL)
        AND (account_frozen_until IS NULL OR account_freeze IS NOT NULL)`,
    });
    await addIndex(
      db,
      'ledger_accounts_by_frozen_until',
      'ledger_accounts',
      '(account_id, frozen_until) WHERE frozen_until IS NOT NULL',
    );
    await db.query(`GRANT UPDATE (freeze_direction, freeze_reason, frozen_until) ON ledger_accounts TO duka_app`);
    await db.query(`GRANT INSERT (${OF_OPERATORS.join(', ')}) ON ledger_accounts TO duka_app`);
    await db.query(`
      ALTER TABLE accounts
        ADD COLUMN IF NOT EXISTS freeze_direction text,
        ADD COLUMN IF NOT EXISTS frozen_until timestamptz,
        ADD COLUMN IF NOT EXISTS unfreezing_due boolean NOT NULL DEFAULT false`);
    await constrain(db, 'accounts', {
      accounts_freeze: `freeze_direction ${DIRECTION} AND (frozen_until IS NULL OR freeze_direction IS NOT NULL)
        AND (frozen_until IS NOT NULL OR NOT unfreezing_due)`,
    });
    await db.query(`GRANT UPDATE (unfreezing_due) ON accounts TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE accounts DROP COLUMN freeze_direction, DROP COLUMN frozen_until, DROP COLUMN unfreezing_due`);
    await db.query(`
      ALTER TABLE ledger_accounts
        DROP CONSTRAINT ledger_accounts_freeze,
        DROP COLUMN freeze_direction,
        DROP COLUMN freeze_reason,
        DROP COLUMN frozen_until,
        DROP COLUMN account_freeze,
        DROP COLUMN account_frozen_until`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, once } from './online';

const PLATFORM = '00000000-0000-0000-0000-000000000000';

/** What an operator sets: no running process of the application may lend. */
const OF_OPERATORS = ['credit_limit', 'lowest'];

/**
 * Each limit that a wallet ever had, from the entry behind `since_seq` on: `verify:ledger` holds entries against them.
 */
const CREDIT_LINES = `
  CREATE TABLE credit_lines (
    account_id        uuid        NOT NULL,
    ledger_account_id uuid        NOT NULL,
    version           integer     NOT NULL,
    credit_limit      bigint      NOT NULL,
    since_seq         bigint      NOT NULL,
    created_at        timestamptz NOT NULL,
    CONSTRAINT credit_lines_pkey PRIMARY KEY (account_id, ledger_account_id, version),
    CONSTRAINT credit_lines_not_negative CHECK (credit_limit >= 0)
  )`;

/**
 * Wallets that may be below zero by so much. `lowest` is where the table stops them: at the limit or, of one that was
 * lowered below its use, where the wallet then stood.
 */
export class CreditLines1763000000056 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'credit_lines', async () => {
      await db.query(CREDIT_LINES);
      await db.query(`REVOKE INSERT ON credit_lines FROM duka_app`);
    });
    await db.query(`
      ALTER TABLE ledger_accounts
        ADD COLUMN IF NOT EXISTS credit_limit bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS lowest bigint NOT NULL DEFAULT 0`);
    await constrain(db, 'ledger_accounts', {
      ledger_accounts_not_overdrawn: `available >= lowest OR account_id = '${PLATFORM}'`,
      ledger_accounts_credit_limit: `credit_limit >= 0 AND lowest <= -credit_limit
        AND (name = 'wallet' OR (credit_limit = 0 AND lowest = 0))`,
    });
    // A flag where there was padding: an entry takes no more room than before.
    await db.query(`
      ALTER TABLE ledger_entries
        ADD COLUMN IF NOT EXISTS on_credit boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT ledger_entries_not_overdrawn,
        ADD CONSTRAINT ledger_entries_not_overdrawn
          CHECK (available_after >= 0 OR on_credit OR account_id = '${PLATFORM}') NOT VALID`);
    await grant(db);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE ledger_entries
        DROP CONSTRAINT ledger_entries_not_overdrawn,
        DROP COLUMN on_credit,
        ADD CONSTRAINT ledger_entries_not_overdrawn CHECK (available_after >= 0 OR account_id = '${PLATFORM}')`);
    await db.query(`
      ALTER TABLE ledger_accounts
        DROP CONSTRAINT ledger_accounts_credit_limit,
        DROP CONSTRAINT ledger_accounts_not_overdrawn,
        DROP COLUMN credit_limit,
        DROP COLUMN lowest,
        ADD CONSTRAINT ledger_accounts_not_overdrawn CHECK (available >= 0 OR account_id = '${PLATFORM}')`);
    await db.query(`GRANT INSERT, UPDATE ON ledger_accounts TO duka_app`);
    await db.query(`DROP TABLE credit_lines`);
  }
}

/** A later migration that adds a column to ledger accounts grants it to `duka_app` by name. */
async function grant(db: QueryRunner): Promise<void> {
  const [{ all, later }] = await db.query(
    `SELECT string_agg(quote_ident(attname), ', ') AS all, string_agg(quote_ident(attname), ', ')
      FILTER (WHERE attname NOT IN ('account_id', 'id', 'name', 'currency', 'livemode')) AS later
       FROM pg_attribute WHERE attrelid = 'ledger_accounts'::regclass AND attnum > 0 AND NOT attisdropped
        AND attname <> ALL ($1)`,
    [OF_OPERATORS],
  );
  await db.query(`REVOKE INSERT, UPDATE ON ledger_accounts FROM duka_app`);
  await db.query(`GRANT INSERT (${all}), UPDATE (${later}) ON ledger_accounts TO duka_app`);
}

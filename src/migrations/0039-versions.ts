import type { MigrationInterface, QueryRunner } from 'typeorm';

const VERSIONED = ['wallets', 'transactions', 'cards', 'card_transactions', 'customers', 'webhook_endpoints'];

/**
 * What an account said of its wallet before each change: an event about the wallet is shown with what was said at its
 * time.
 */
const WALLET_VERSIONS = `
  CREATE TABLE IF NOT EXISTS wallet_versions (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    wallet_id  uuid    NOT NULL,
    version    integer NOT NULL,
    until      bigint  NOT NULL DEFAULT event_number(),
    label      text,
    metadata   jsonb   NOT NULL,
    CONSTRAINT wallet_versions_pkey PRIMARY KEY (account_id, livemode, wallet_id, version)
  )`;

/** Objects are counted as they change. Wallets and cards also change with their money, which the ledger counts. */
export class Versions1763000000039 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const table of VERSIONED)
      await db.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS version integer NOT NULL DEFAULT 1`);
    await db.query(WALLET_VERSIONS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE wallet_versions`);
    for (const table of VERSIONED) await db.query(`ALTER TABLE ${table} DROP COLUMN version`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, once } from './online';

/**
 * A wallet's day, closed. `through_seq`, `through_at`: number and time of the last entry that is in it or in a day
 * before; amounts are available and held money together.
 */
const WALLET_DAYS = `
  CREATE TABLE wallet_days (
    account_id    uuid        NOT NULL,
    livemode      boolean     NOT NULL,
    wallet_id     uuid        NOT NULL,
    date          date        NOT NULL,
    id            uuid        NOT NULL,
    ends_at       timestamptz NOT NULL,
    through_seq   bigint      NOT NULL,
    through_at    timestamptz,
    opening       bigint      NOT NULL,
    total_in      bigint      NOT NULL,
    total_out     bigint      NOT NULL,
    closing       bigint      NOT NULL,
    counts        jsonb       NOT NULL,
    previous_hash bytea       NOT NULL,
    hash          bytea       NOT NULL,
    CONSTRAINT wallet_days_pkey PRIMARY KEY (account_id, livemode, wallet_id, date),
    CONSTRAINT wallet_days_by_id UNIQUE (account_id, livemode, id),
    CONSTRAINT wallet_days_balance CHECK (total_in >= 0 AND total_out >= 0 AND opening + total_in - total_out = closing)
  )`;

/** Days of wallets that are closed, and where in the world an account's days begin. */
export class Days1763000000054 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'wallet_days', () => db.query(WALLET_DAYS));
    // When the day that is to be closed next ends; of a wallet that nobody looked at yet, its creation.
    await db.query(`ALTER TABLE wallets ADD COLUMN IF NOT EXISTS closes_at timestamptz NOT NULL DEFAULT now()`);
    await addIndex(db, 'wallets_by_closing', 'wallets', '(closes_at, id)');
    await db.query(`ALTER TABLE accounts ADD COLUMN IF NOT EXISTS time_zone text NOT NULL DEFAULT 'Africa/Lagos'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts DROP COLUMN time_zone`);
    await db.query(`ALTER TABLE wallets DROP COLUMN closes_at`);
    await db.query(`DROP TABLE wallet_days`);
  }
}

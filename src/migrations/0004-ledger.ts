import type { MigrationInterface, QueryRunner } from 'typeorm';

const PLATFORM = '00000000-0000-0000-0000-000000000000';

const LEDGER_ACCOUNTS = `
  CREATE TABLE ledger_accounts (
    account_id  uuid        NOT NULL,
    id          uuid        NOT NULL,
    name        text        NOT NULL,
    currency    text        NOT NULL,
    livemode    boolean     NOT NULL,
    status      text        NOT NULL DEFAULT 'active',
    available   bigint      NOT NULL DEFAULT 0,
    held        bigint      NOT NULL DEFAULT 0,
    seq         bigint      NOT NULL DEFAULT 0,
    alert_below bigint,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ledger_accounts_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT ledger_accounts_status CHECK (status IN ('active', 'frozen', 'closed')),
    CONSTRAINT ledger_accounts_not_overdrawn CHECK (available >= 0 OR account_id = '${PLATFORM}'),
    CONSTRAINT ledger_accounts_held_not_negative CHECK (held >= 0),
    CONSTRAINT ledger_accounts_closed_is_empty CHECK (status <> 'closed' OR (available = 0 AND held = 0))
  ) WITH (fillfactor = 40)`;

const LEDGER_ENTRIES = `
  CREATE TABLE ledger_entries (
    account_id        uuid        NOT NULL,
    ledger_account_id uuid        NOT NULL,
    created_at        timestamptz NOT NULL,
    seq               bigint      NOT NULL,
    batch_id          uuid        NOT NULL,
    posting_id        uuid        NOT NULL,
    transaction_id    uuid,
    amount            bigint      NOT NULL,
    available_after   bigint      NOT NULL,
    held_after        bigint      NOT NULL,
    bucket            text        NOT NULL,
    CONSTRAINT ledger_entries_pkey PRIMARY KEY (account_id, ledger_account_id, created_at, seq),
    CONSTRAINT ledger_entries_bucket CHECK (bucket IN ('available', 'held')),
    CONSTRAINT ledger_entries_amount_not_zero CHECK (amount <> 0),
    CONSTRAINT ledger_entries_not_overdrawn CHECK (available_after >= 0 OR account_id = '${PLATFORM}'),
    CONSTRAINT ledger_entries_held_not_negative CHECK (held_after >= 0)
  ) PARTITION BY RANGE (created_at)`;

const LEDGER_HOLDS = `
  CREATE TABLE ledger_holds (
    account_id        uuid        NOT NULL,
    id                uuid        NOT NULL,
    ledger_account_id uuid        NOT NULL,
    amount            bigint      NOT NULL,
    captured          bigint      NOT NULL DEFAULT 0,
    released          bigint      NOT NULL DEFAULT 0,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT ledger_holds_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT ledger_holds_amount_positive CHECK (amount > 0),
    CONSTRAINT ledger_holds_not_exceeded CHECK (captured >= 0 AND released >= 0 AND captured + released <= amount)
  ) WITH (fillfactor = 80)`;

const LEDGER_BATCHES = `
  CREATE TABLE ledger_batches (
    id       uuid   NOT NULL,
    digest   bytea  NOT NULL,
    position bigint,
    chain    bytea,
    CONSTRAINT ledger_batches_pkey PRIMARY KEY (id),
    CONSTRAINT ledger_batches_sealed CHECK ((position IS NULL) = (chain IS NULL))
  ) PARTITION BY RANGE (id)`;

export class Ledger1763000000004 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Balances change with every posting: the free space keeps those updates on the page and out of the indexes.
    await db.query(LEDGER_ACCOUNTS);
    await db.query(`CREATE INDEX ledger_accounts_by_id ON ledger_accounts (id)`);
    await db.query(LEDGER_ENTRIES);
    await db.query(LEDGER_HOLDS);
    await db.query(LEDGER_BATCHES);
    await db.query(`CREATE INDEX ledger_batches_unsealed ON ledger_batches (id) WHERE position IS NULL`);
    await db.query(`CREATE INDEX ledger_batches_by_position ON ledger_batches (position) WHERE position IS NOT NULL`);
    await db.query(`
      INSERT INTO partitioned_tables (name, key_type) VALUES ('ledger_entries', 'timestamptz'), ('ledger_batches',
        'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(`GRANT UPDATE ON ledger_accounts, ledger_holds TO duka_app`);
    await db.query(`GRANT UPDATE (position, chain) ON ledger_batches TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE ledger_batches, ledger_holds, ledger_entries, ledger_accounts`);
    await db.query(`DELETE FROM partitioned_tables WHERE name IN ('ledger_entries', 'ledger_batches')`);
  }
}

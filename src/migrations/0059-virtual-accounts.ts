import type { MigrationInterface, QueryRunner } from 'typeorm';
import { once, reword } from './online';

/** Numbers of bank accounts through which transfers reach wallets. */
const ACCOUNTS = `
  CREATE TABLE virtual_accounts (
    account_id         uuid        NOT NULL,
    livemode           boolean     NOT NULL,
    id                 uuid        NOT NULL,
    kind               text        NOT NULL,
    status             text        NOT NULL,
    wallet_id          uuid        NOT NULL,
    currency           text        NOT NULL,
    amount             bigint,
    on_underpaid       text        NOT NULL,
    on_overpaid        text        NOT NULL,
    customer_id        uuid,
    label              text,
    reference          text,
    provider           text        NOT NULL,
    provider_reference text,
    bank               jsonb,
    account_number     text,
    account_name       text,
    is_open_there      boolean     NOT NULL,
    failure            jsonb,
    expires_at         timestamptz,
    next_check_at      timestamptz,
    checks             integer     NOT NULL,
    version            integer     NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT virtual_accounts_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT virtual_accounts_kind CHECK (kind IN ('permanent', 'one_time')),
    CONSTRAINT virtual_accounts_status CHECK (status IN ('pending', 'active', 'used', 'expired', 'closed', 'failed')),
    CONSTRAINT virtual_accounts_policies CHECK (on_underpaid IN ('review', 'accept_received', 'refund')
      AND on_overpaid IN ('review', 'accept_received', 'refund')),
    CONSTRAINT virtual_accounts_one_time CHECK (kind = 'one_time' OR (amount IS NULL AND expires_at IS NULL
      AND status NOT IN ('used', 'expired'))),
    CONSTRAINT virtual_accounts_amount CHECK (amount > 0),
    CONSTRAINT virtual_accounts_number CHECK ((status IN ('pending', 'failed')) = (account_number IS NULL))
  )`;

/** What arrived, one row for each transfer. What was told of it first is never changed. */
const DEPOSITS = `
  CREATE TABLE deposits (
    account_id         uuid        NOT NULL,
    livemode           boolean     NOT NULL,
    id                 uuid        NOT NULL,
    virtual_account_id uuid        NOT NULL,
    provider           text        NOT NULL,
    provider_reference text        NOT NULL,
    told_amount        bigint      NOT NULL,
    told_currency      text        NOT NULL,
    status             text        NOT NULL,
    amount             bigint,
    currency           text,
    payer              jsonb,
    session_id         text,
    arrived_at         timestamptz,
    wallet_id          uuid,
    transaction_id     uuid,
    resolution         text,
    review             text,
    reviews            integer     NOT NULL,
    next_check_at      timestamptz,
    checks             integer     NOT NULL,
    version            integer     NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT deposits_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT deposits_by_provider_reference UNIQUE (account_id, livemode, provider, provider_reference),
    CONSTRAINT deposits_status CHECK (status IN ('received', 'credited', 'to_be_returned', 'returned', 'failed')),
    CONSTRAINT deposits_resolution CHECK (resolution IN ('accept_received', 'refund_payer', 'failed')),
    CONSTRAINT deposits_amounts CHECK (told_amount > 0 AND amount > 0),
    CONSTRAINT deposits_confirmed CHECK ((amount IS NULL) = (currency IS NULL)
      AND (amount IS NULL) = (arrived_at IS NULL)),
    CONSTRAINT deposits_credited CHECK ((status = 'credited') = (transaction_id IS NOT NULL)
      AND (status = 'credited') = (wallet_id IS NOT NULL))
  ) WITH (fillfactor = 80)`;

/** What providers told of a deposit, by callback, by their lists, and when they were asked. */
const CHECKS = `
  CREATE TABLE deposit_checks (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    deposit_id uuid    NOT NULL,
    provider   text    NOT NULL,
    call       text    NOT NULL,
    outcome    text    NOT NULL,
    code       text,
    amount     bigint,
    currency   text,
    CONSTRAINT deposit_checks_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT deposit_checks_call CHECK (call IN ('callback', 'list', 'find'))
  ) PARTITION BY RANGE (id)`;

/** Until when a provider's lists were read to their end. */
const SWEEPS = `
  CREATE TABLE deposit_sweeps (
    provider    text        NOT NULL,
    livemode    boolean     NOT NULL,
    swept_until timestamptz NOT NULL,
    CONSTRAINT deposit_sweeps_pkey PRIMARY KEY (provider, livemode)
  )`;

/** The world behind the bank of the sandbox: transfers that people pretended. */
const SANDBOX = `
  CREATE TABLE sandbox_bank_transfers (
    account_id         uuid        NOT NULL,
    livemode           boolean     NOT NULL DEFAULT false,
    id                 uuid        NOT NULL,
    virtual_account_id uuid        NOT NULL,
    amount             bigint      NOT NULL,
    currency           text        NOT NULL,
    payer_name         text        NOT NULL,
    payer_number       text        NOT NULL,
    arrived_at         timestamptz NOT NULL,
    returned_at        timestamptz,
    request_key        text,
    CONSTRAINT sandbox_bank_transfers_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT sandbox_bank_transfers_amount CHECK (amount > 0),
    CONSTRAINT sandbox_bank_transfers_test_only CHECK (NOT livemode)
  )`;

/** Funding by bank transfer: numbers that payers pay into, what arrived there, and the bank of the sandbox. */
export class VirtualAccounts1763000000059 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'virtual_accounts', () => this.makeTables(db));
    await reword(db, ['review_verdicts', 'resource'], ['dep'], true);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    for (const table of [ACCOUNTS, DEPOSITS, CHECKS, SWEEPS, SANDBOX]) await db.query(table);
    await db.query(`GRANT UPDATE (status, provider_reference, bank, account_number, account_name, is_open_there,
      failure, expires_at, next_check_at, checks, version, updated_at) ON virtual_accounts TO duka_app`);
    await db.query(`GRANT UPDATE (status, amount, currency, payer, session_id, arrived_at, wallet_id, transaction_id,
      resolution, review, reviews, next_check_at, checks, version, updated_at) ON deposits TO duka_app`);
    await db.query(`GRANT UPDATE (returned_at) ON sandbox_bank_transfers TO duka_app`);
    await db.query(`GRANT UPDATE (swept_until) ON deposit_sweeps TO duka_app`);
    for (const table of ['virtual_accounts', 'deposits'])
      await db.query(`CREATE INDEX ${table}_due ON ${table} (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`CREATE INDEX virtual_accounts_by_account_number
      ON virtual_accounts (account_id, livemode, account_number) WHERE account_number IS NOT NULL`);
    await db.query(
      `CREATE INDEX deposits_by_virtual_account ON deposits (account_id, livemode, virtual_account_id, id)`,
    );
    await db.query(`CREATE UNIQUE INDEX deposits_by_transaction ON deposits (account_id, livemode, transaction_id)
      WHERE transaction_id IS NOT NULL`);
    await db.query(`CREATE INDEX deposits_in_review ON deposits (account_id, id) WHERE review IS NOT NULL`);
    await db.query(`CREATE INDEX deposits_to_return ON deposits (account_id, id) WHERE status = 'to_be_returned'`);
    await db.query(`CREATE INDEX deposit_checks_by_deposit ON deposit_checks (account_id, deposit_id, id)`);
    await db.query(`CREATE UNIQUE INDEX sandbox_bank_transfers_by_request
      ON sandbox_bank_transfers (account_id, request_key) WHERE request_key IS NOT NULL`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('deposit_checks', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position)
      VALUES ('virtual_accounts', '*', false, 'sandbox', 1)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'virtual_accounts'`);
    await db.query(`DELETE FROM review_verdicts WHERE resource = 'dep'`);
    await reword(db, ['review_verdicts', 'resource'], ['dep'], false);
    await db.query(`DROP TABLE sandbox_bank_transfers, deposit_sweeps, deposit_checks, deposits, virtual_accounts`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'deposit_checks'`);
  }
}

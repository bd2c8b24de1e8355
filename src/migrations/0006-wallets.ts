import type { MigrationInterface, QueryRunner } from 'typeorm';

const TYPES = `'transfer_out', 'transfer_in', 'airtime_purchase', 'data_purchase', 'bill_payment', 'card_issue',
  'card_funding', 'card_withdrawal', 'card_fee', 'payment', 'deposit', 'reversal'`;

const WALLETS = `
  CREATE TABLE wallets (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    id         uuid        NOT NULL,
    currency   text        NOT NULL,
    label      text,
    reference  text,
    metadata   jsonb       NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT wallets_pkey PRIMARY KEY (account_id, livemode, id)
  )`;

const TRANSFERS = `
  CREATE TABLE transfers (
    account_id            uuid    NOT NULL,
    livemode              boolean NOT NULL,
    id                    uuid    NOT NULL,
    from_wallet_id        uuid    NOT NULL,
    to_wallet_id          uuid    NOT NULL,
    to_account_id         uuid    NOT NULL,
    debit_transaction_id  uuid    NOT NULL,
    credit_transaction_id uuid    NOT NULL,
    amount                bigint  NOT NULL,
    fee                   bigint  NOT NULL,
    currency              text    NOT NULL,
    reference             text,
    narration             text,
    metadata              jsonb   NOT NULL,
    CONSTRAINT transfers_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT transfers_amount_positive CHECK (amount > 0 AND fee >= 0)
  )`;

const TRANSACTIONS = `
  CREATE TABLE transactions (
    account_id         uuid        NOT NULL,
    livemode           boolean     NOT NULL,
    id                 uuid        NOT NULL,
    wallet_id          uuid        NOT NULL,
    type               text        NOT NULL,
    direction          text        NOT NULL,
    status             text        NOT NULL,
    amount             bigint      NOT NULL,
    fee                bigint      NOT NULL DEFAULT 0,
    commission         bigint      NOT NULL DEFAULT 0,
    currency           text        NOT NULL,
    source_id          uuid,
    counterparty_id    uuid,
    balance_before     bigint,
    balance_after      bigint,
    reference          text,
    recipient          text,
    details            jsonb,
    provider_name      text,
    provider_reference text,
    provider_attempts  integer     NOT NULL DEFAULT 0,
    failure            jsonb,
    next_check_at      timestamptz,
    reverses           uuid,
    reversed_by        uuid,
    metadata           jsonb       NOT NULL DEFAULT '{}',
    updated_at         timestamptz NOT NULL,
    completed_at       timestamptz,
    CONSTRAINT transactions_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT transactions_type CHECK (type IN (${TYPES})),
    CONSTRAINT transactions_direction CHECK (direction IN ('debit', 'credit')),
    CONSTRAINT transactions_status
      CHECK (status IN ('pending', 'processing', 'successful', 'failed', 'cancelled', 'reversed')),
    CONSTRAINT transactions_amounts CHECK (amount > 0 AND fee >= 0 AND commission >= 0)
  )`;

export class Wallets1763000000006 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(WALLETS);
    await db.query(`GRANT UPDATE ON wallets TO duka_app`);
    await db.query(TRANSFERS);
    await db.query(TRANSACTIONS);
    await db.query(`CREATE INDEX transactions_by_wallet ON transactions (wallet_id, id)`);
    await db.query(`
      CREATE INDEX transactions_by_reference ON transactions (account_id, livemode, reference)
        WHERE reference IS NOT NULL`);
    await db.query(`
      CREATE INDEX transactions_by_recipient ON transactions (account_id, livemode, recipient, id)
        WHERE recipient IS NOT NULL`);
    await db.query(`
      CREATE INDEX transactions_unsuccessful ON transactions (account_id, livemode, status, id)
        WHERE status <> 'successful'`);
    // Transfers are most of a long list and found without it: it costs them nothing.
    await db.query(`
      CREATE INDEX transactions_by_type ON transactions (account_id, livemode, type, id)
        WHERE type NOT IN ('transfer_out', 'transfer_in')`);
    await db.query(`GRANT UPDATE ON transactions TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE transactions, transfers, wallets`);
  }
}

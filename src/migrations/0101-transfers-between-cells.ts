import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In the payer's cell: the way of a transfer to a wallet of another cell. */
const CELL_TRANSFERS = `
  CREATE TABLE cell_transfers (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    checks          integer     NOT NULL,
    next_check_at   timestamptz,
    request_id      uuid        NOT NULL,
    idempotency_key text,
    CONSTRAINT cell_transfers_pkey PRIMARY KEY (account_id, livemode, id)
  )`;

/** In the payee's cell: what became of one, once and for all. */
const CELL_CREDITS = `
  CREATE TABLE cell_credits (
    account_id            uuid        NOT NULL,
    livemode              boolean     NOT NULL,
    transfer_id           uuid        NOT NULL,
    to_wallet_id          uuid        NOT NULL,
    from_wallet_id        uuid        NOT NULL,
    credit_transaction_id uuid        NOT NULL,
    amount                bigint      NOT NULL,
    currency              text        NOT NULL,
    refusal               text,
    created_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT cell_credits_pkey PRIMARY KEY (account_id, livemode, transfer_id),
    CONSTRAINT cell_credits_amount CHECK (amount > 0)
  )`;

export class TransfersBetweenCells1763000000101 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE transfers ADD COLUMN status text NOT NULL DEFAULT 'successful', ADD COLUMN failure jsonb,
        ADD CONSTRAINT transfers_status CHECK (status IN ('processing', 'successful', 'failed')) NOT VALID`);
    await db.query(`GRANT UPDATE (status, failure) ON transfers TO duka_app`);
    await db.query(CELL_TRANSFERS);
    await db.query(`CREATE INDEX cell_transfers_due ON cell_transfers (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`GRANT UPDATE (checks, next_check_at) ON cell_transfers TO duka_app`);
    await db.query(CELL_CREDITS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE cell_credits, cell_transfers`);
    await db.query(`REVOKE UPDATE (status, failure) ON transfers FROM duka_app`);
    await db.query(`ALTER TABLE transfers DROP COLUMN failure, DROP COLUMN status`);
  }
}

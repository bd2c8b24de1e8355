import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Many orders that were placed at once. Amounts in minor units. */
const BATCHES = `
  CREATE TABLE batches (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    kind            text        NOT NULL,
    status          text        NOT NULL,
    on_error        text        NOT NULL,
    skip_invalid    boolean     NOT NULL,
    dry_run         boolean     NOT NULL,
    wallet_id       uuid,
    reference       text,
    metadata        jsonb       NOT NULL,
    columns         jsonb,
    start_at        timestamptz,
    made_by         uuid,
    request_id      uuid        NOT NULL,
    idempotency_key text,
    currency        text,
    counts          jsonb       NOT NULL,
    amount          bigint      NOT NULL,
    fee             bigint      NOT NULL,
    total           bigint      NOT NULL,
    shortfalls      jsonb,
    failure         jsonb,
    version         integer     NOT NULL,
    next_check_at   timestamptz,
    told_at         timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    completed_at    timestamptz,
    CONSTRAINT batches_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT batches_kind CHECK (kind IN ('airtime', 'data', 'bill', 'transfer', 'payout')),
    CONSTRAINT batches_status CHECK (status IN ('validating', 'scheduled', 'running', 'paused', 'completed', 'invalid',
      'failed', 'cancelled')),
    CONSTRAINT batches_on_error CHECK (on_error IN ('continue', 'stop') OR (on_error = 'all_or_nothing'
      AND kind = 'transfer')),
    CONSTRAINT batches_dry_run CHECK (NOT dry_run OR status IN ('validating', 'paused', 'completed', 'cancelled')),
    CONSTRAINT batches_completed CHECK ((status IN ('completed', 'invalid', 'failed', 'cancelled'))
      = (completed_at IS NOT NULL))
  )`;

/** A row of a batch: what was asked for, and what became of it. */
const ITEMS = `
  CREATE TABLE batch_items (
    account_id  uuid    NOT NULL,
    livemode    boolean NOT NULL,
    batch_id    uuid    NOT NULL,
    number      integer NOT NULL,
    reference   text,
    body        jsonb   NOT NULL,
    status      text    NOT NULL,
    wallet_id   uuid,
    currency    text,
    amount      bigint,
    fee         bigint,
    total       bigint,
    resource    text,
    resource_id uuid,
    failure     jsonb,
    tries       integer NOT NULL,
    CONSTRAINT batch_items_pkey PRIMARY KEY (account_id, livemode, batch_id, number),
    CONSTRAINT batch_items_status CHECK (status IN ('pending', 'valid', 'invalid', 'processing', 'successful', 'failed',
      'cancelled')),
    CONSTRAINT batch_items_resource CHECK ((resource IS NULL) = (resource_id IS NULL)
      AND (resource_id IS NULL OR status IN ('processing', 'successful', 'failed'))
      AND (resource_id IS NOT NULL OR status <> 'successful'))
  ) PARTITION BY RANGE (batch_id)`;

/** Batches of orders, and their rows. */
export class Batches1763000000055 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(BATCHES);
    await db.query(ITEMS);
    await db.query(`GRANT UPDATE (status, currency, counts, amount, fee, total, shortfalls, failure, version,
      next_check_at, start_at, told_at, updated_at, completed_at) ON batches TO duka_app`);
    await db.query(`GRANT UPDATE (status, wallet_id, currency, amount, fee, total, resource, resource_id, failure,
      tries) ON batch_items TO duka_app`);
    await db.query(`CREATE INDEX batches_due ON batches (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`CREATE INDEX batch_items_by_status
      ON batch_items (account_id, livemode, batch_id, status, number)`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type, keep_months) VALUES ('batch_items', 'uuid', NULL)`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE batches, batch_items`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'batch_items'`);
  }
}

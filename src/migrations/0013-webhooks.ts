import type { MigrationInterface, QueryRunner } from 'typeorm';

const ENDPOINTS = `
  CREATE TABLE webhook_endpoints (
    account_id        uuid        NOT NULL,
    livemode          boolean     NOT NULL,
    id                uuid        NOT NULL,
    url               text        NOT NULL,
    events            text[]      NOT NULL,
    description       text,
    include_secrets   boolean     NOT NULL DEFAULT false,
    metadata          jsonb       NOT NULL DEFAULT '{}',
    secret            bytea       NOT NULL,
    previous_secret   bytea,
    previous_until    timestamptz,
    status            text        NOT NULL DEFAULT 'enabled',
    disabled_reason   text,
    disabled_at       timestamptz,
    in_flight_max     integer     NOT NULL DEFAULT 8,
    per_second_max    integer,
    faults            text,
    failing_since     timestamptz,
    last_failure_at   timestamptz,
    last_success_at   timestamptz,
    warned_percent    integer     NOT NULL DEFAULT 0,
    created_in        bigint      NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    updated_at        timestamptz NOT NULL DEFAULT now(),
    deleted_at        timestamptz,
    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT webhook_endpoints_status CHECK (status IN ('enabled', 'disabled')),
    CONSTRAINT webhook_endpoints_limits CHECK (in_flight_max BETWEEN 1 AND 100 AND per_second_max > 0)
  )`;

const DELIVERIES = `
  CREATE TABLE webhook_deliveries (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    endpoint_id     uuid        NOT NULL,
    event_id        uuid        NOT NULL,
    event_type      text        NOT NULL,
    status          text        NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    is_replay       boolean     NOT NULL DEFAULT false,
    next_attempt_at timestamptz,
    leased_until    timestamptz,
    last_code       text,
    completed_at    timestamptz,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'retrying', 'delivered', 'exhausted', 'disabled',
      'aborted')),
    CONSTRAINT webhook_deliveries_due CHECK ((status IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL))
  ) PARTITION BY RANGE (id)`;

const ATTEMPTS = `
  CREATE TABLE webhook_attempts (
    account_id    uuid    NOT NULL,
    livemode      boolean NOT NULL,
    id            uuid    NOT NULL,
    delivery_id   uuid    NOT NULL,
    number        integer NOT NULL,
    url           text    NOT NULL,
    code          text    NOT NULL,
    http_status   integer,
    duration_ms   integer NOT NULL,
    response_body text,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

const RELAY = `
  CREATE TABLE relay_position (
    name text        NOT NULL,
    xact bigint      NOT NULL,
    at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT relay_position_pkey PRIMARY KEY (name)
  )`;

/**
 * Events carry the number of their transaction. What lies below the oldest transaction that is still open is complete:
 * the relay reads up to there and misses nothing, however late a transaction commits, without a mark on each event.
 */
export class Webhooks1763000000013 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE events ADD COLUMN xact bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint`);
    // Made by a test key to see whether a receiver bears it: nothing of the kind happened.
    await db.query(`ALTER TABLE events ADD COLUMN is_sample boolean NOT NULL DEFAULT false`);
    // Not BRIN: pages that it has not summarized yet would be read whole, ten times a second.
    await db.query(`CREATE INDEX events_by_xact ON events (xact)`);
    await db.query(ENDPOINTS);
    await db.query(`GRANT UPDATE ON webhook_endpoints TO duka_app`);
    await db.query(DELIVERIES);
    await db.query(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
    );
    // For accounts whose test clock is ahead: what is due there is not due by the time.
    await db.query(`
      CREATE INDEX webhook_deliveries_due_in_test ON webhook_deliveries (account_id, next_attempt_at)
       WHERE next_attempt_at IS NOT NULL AND NOT livemode`);
    await db.query(
      `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (account_id, livemode, endpoint_id, id)`,
    );
    await db.query(`CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (account_id, livemode, event_id)`);
    // Events that did not arrive are few, among many.
    await db.query(
      `CREATE INDEX webhook_deliveries_owed ON webhook_deliveries (account_id, livemode, event_id)
        WHERE status <> 'delivered'`,
    );
    await db.query(`GRANT UPDATE ON webhook_deliveries TO duka_app`);
    await db.query(ATTEMPTS);
    await db.query(
      `CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (account_id, livemode, delivery_id, id)`,
    );
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type) VALUES ('webhook_deliveries', 'uuid'), ('webhook_attempts',
        'uuid')`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(RELAY);
    await db.query(
      `INSERT INTO relay_position (name, xact) SELECT 'webhooks',
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
    );
    await db.query(`GRANT UPDATE ON relay_position TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE relay_position, webhook_attempts, webhook_deliveries, webhook_endpoints`);
    await db.query(`DELETE FROM partitioned_tables WHERE name IN ('webhook_deliveries', 'webhook_attempts')`);
    await db.query(`ALTER TABLE events DROP COLUMN xact, DROP COLUMN is_sample`);
  }
}

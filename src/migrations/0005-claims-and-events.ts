import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ClaimsAndEvents1763000000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE claims (
        account_id  uuid        NOT NULL,
        livemode    boolean     NOT NULL,
        kind        text        NOT NULL,
        value       text        NOT NULL,
        fingerprint bytea       NOT NULL,
        resource    text        NOT NULL,
        resource_id uuid        NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT claims_pkey PRIMARY KEY (account_id, livemode, kind, value),
        CONSTRAINT claims_kind CHECK (kind IN ('key', 'reference'))
      )`);
    // Only the daily purge asks by time: a BRIN index costs an insert next to nothing.
    await db.query(`CREATE INDEX claims_by_time ON claims USING brin (created_at)`);
    await db.query(`GRANT DELETE ON claims TO duka_app`);
    // Nobody searches in a snapshot: as it was said, it costs less than `jsonb`.
    await db.query(`
      CREATE TABLE events (
        account_id      uuid    NOT NULL,
        livemode        boolean NOT NULL,
        id              uuid    NOT NULL,
        type            text    NOT NULL,
        object_type     text    NOT NULL,
        object_id       uuid    NOT NULL,
        snapshot        json,
        request_id      uuid,
        idempotency_key text,
        CONSTRAINT events_pkey PRIMARY KEY (account_id, livemode, id)
      ) PARTITION BY RANGE (id)`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('events', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE events, claims`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'events'`);
  }
}

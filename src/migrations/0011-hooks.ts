import type { MigrationInterface, QueryRunner } from 'typeorm';

const HOOK_JOBS = `
  CREATE TABLE hook_jobs (
    account_id  uuid        NOT NULL,
    livemode    boolean     NOT NULL,
    event_id    uuid        NOT NULL,
    handler     text        NOT NULL,
    event_type  text        NOT NULL,
    operation   text        NOT NULL,
    object_type text        NOT NULL,
    object_id   uuid        NOT NULL,
    causes      jsonb       NOT NULL,
    status      text        NOT NULL DEFAULT 'waiting',
    attempts    integer     NOT NULL DEFAULT 0,
    due_at      timestamptz DEFAULT now(),
    CONSTRAINT hook_jobs_pkey PRIMARY KEY (account_id, livemode, event_id, handler),
    CONSTRAINT hook_jobs_status CHECK (status IN ('waiting', 'done', 'given_up')),
    CONSTRAINT hook_jobs_due CHECK ((due_at IS NULL) = (status <> 'waiting'))
  ) PARTITION BY RANGE (event_id)`;

/** What observers of payments are still to be told, and what they were told. */
export class Hooks1763000000011 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(HOOK_JOBS);
    await db.query(`CREATE INDEX hook_jobs_by_time ON hook_jobs (due_at) WHERE due_at IS NOT NULL`);
    await db.query(`GRANT UPDATE ON hook_jobs TO duka_app`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('hook_jobs', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE hook_jobs`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'hook_jobs'`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened in all wallets of an account, made into a file. `period_from`, `period_to`: as they were asked for, a
 * day of the account or a moment; `attempt`: of those who made it, the one whose pieces are the file.
 */
const REPORTS = `
  CREATE TABLE reports (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    kind            text        NOT NULL,
    format          text        NOT NULL,
    period_from     text        NOT NULL,
    period_to       text        NOT NULL,
    filters         jsonb       NOT NULL,
    status          text        NOT NULL,
    attempt         integer     NOT NULL,
    is_closed       boolean,
    row_count       integer,
    byte_count      bigint,
    digest          bytea,
    request_id      uuid        NOT NULL,
    idempotency_key text,
    version         integer     NOT NULL,
    next_check_at   timestamptz,
    expires_at      timestamptz,
    updated_at      timestamptz NOT NULL,
    completed_at    timestamptz,
    CONSTRAINT reports_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT reports_kind CHECK (kind IN ('transactions', 'settlements', 'fees', 'commissions', 'payouts')),
    CONSTRAINT reports_format CHECK (format IN ('csv', 'json')),
    CONSTRAINT reports_status CHECK (status IN ('pending', 'ready', 'failed', 'expired')),
    CONSTRAINT reports_completed CHECK ((status = 'pending') = (completed_at IS NULL)),
    CONSTRAINT reports_made CHECK (num_nonnulls(is_closed, row_count, byte_count, digest, expires_at)
      = CASE WHEN status IN ('ready', 'expired') THEN 5 ELSE 0 END)
  )`;

/** The file, compressed, a piece in each row. */
const PIECES = `
  CREATE TABLE report_pieces (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    report_id  uuid    NOT NULL,
    attempt    integer NOT NULL,
    number     integer NOT NULL,
    bytes      bytea   NOT NULL,
    CONSTRAINT report_pieces_pkey PRIMARY KEY (account_id, livemode, report_id, attempt, number)
  )`;

/** Reports over many wallets. */
export class Reports1763000000063 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(REPORTS);
    await db.query(PIECES);
    // It is compressed already.
    await db.query(`ALTER TABLE report_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`);
    await db.query(`GRANT UPDATE (status, attempt, is_closed, row_count, byte_count, digest, version, next_check_at,
      expires_at, updated_at, completed_at) ON reports TO duka_app`);
    await db.query(`GRANT DELETE ON report_pieces TO duka_app`);
    await db.query(`CREATE INDEX reports_due ON reports (next_check_at) WHERE next_check_at IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE reports, report_pieces`);
  }
}

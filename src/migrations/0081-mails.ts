import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is sent to people. The content is sealed, since it holds links that let people in, and goes once it is sent. */
const MAILS = `
  CREATE TABLE mails (
    id         uuid        NOT NULL,
    kind       text        NOT NULL,
    recipient  text        NOT NULL,
    content    bytea,
    status     text        NOT NULL,
    attempts   integer     NOT NULL DEFAULT 0,
    due_at     timestamptz NOT NULL DEFAULT now(),
    until      timestamptz NOT NULL,
    failure    text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT mails_pkey PRIMARY KEY (id),
    CONSTRAINT mails_status CHECK (status IN ('due', 'sent', 'failed', 'kept')),
    CONSTRAINT mails_content CHECK ((content IS NULL) = (status IN ('sent', 'failed')))
  )`;

/** Links with which a forgotten password is replaced. Used or too old, they are removed. */
const PASSWORD_RESETS = `
  CREATE TABLE password_resets (
    account_id uuid        NOT NULL,
    id         uuid        NOT NULL,
    user_id    uuid        NOT NULL,
    token_hash bytea       NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT password_resets_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT password_resets_token_hash_is_sha256 CHECK (octet_length(token_hash) = 32)
  )`;

export class Mails1763000000081 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(MAILS);
    await db.query(`CREATE INDEX mails_due ON mails (due_at) WHERE status = 'due'`);
    await db.query(`GRANT UPDATE (content, status, attempts, due_at, failure), DELETE ON mails TO duka_app`);
    await db.query(PASSWORD_RESETS);
    await db.query(`CREATE INDEX password_resets_by_token ON password_resets (token_hash)`);
    await db.query(`CREATE INDEX password_resets_by_user ON password_resets (account_id, user_id)`);
    await db.query(`GRANT DELETE ON password_resets TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE password_resets, mails`);
  }
}

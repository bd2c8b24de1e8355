import type { MigrationInterface, QueryRunner } from 'typeorm';

const USERS = `
  CREATE TABLE users (
    id                  uuid        NOT NULL,
    email               text        NOT NULL,
    name                text        NOT NULL,
    password_hash       text        NOT NULL,
    totp_secret         bytea,
    totp_pending        bytea,
    totp_last_step      bigint      NOT NULL DEFAULT 0,
    recovery_codes      bytea[]     NOT NULL DEFAULT '{}',
    created_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_email UNIQUE (email)
  )`;

const TEAM_MEMBERS = `
  CREATE TABLE team_members (
    account_id   uuid        NOT NULL,
    id           uuid        NOT NULL,
    user_id      uuid,
    email        text        NOT NULL,
    name         text        NOT NULL,
    role         text        NOT NULL,
    invite_hash  bytea,
    invite_until timestamptz,
    removed_at   timestamptz,
    CONSTRAINT team_members_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT team_members_role CHECK (role IN ('owner', 'admin', 'developer', 'finance', 'support')),
    CONSTRAINT team_members_joined_or_invited CHECK (user_id IS NOT NULL OR invite_hash IS NOT NULL)
  )`;

const SESSIONS = `
  CREATE TABLE sessions (
    account_id       uuid        NOT NULL,
    id               uuid        NOT NULL,
    user_id          uuid        NOT NULL,
    token_hash       bytea       NOT NULL,
    ip               text        NOT NULL,
    user_agent       text,
    created_at       timestamptz NOT NULL,
    last_seen_at     timestamptz NOT NULL,
    stepped_up_until timestamptz,
    ended_at         timestamptz,
    CONSTRAINT sessions_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT sessions_token_hash_is_sha256 CHECK (octet_length(token_hash) = 32)
  )`;

const AUDIT_LOG = `
  CREATE TABLE audit_log (
    account_id uuid  NOT NULL,
    id         uuid  NOT NULL,
    user_id    uuid,
    actor      text  NOT NULL,
    action     text  NOT NULL,
    target     text,
    ip         text,
    detail     jsonb NOT NULL,
    CONSTRAINT audit_log_pkey PRIMARY KEY (account_id, id)
  ) PARTITION BY RANGE (id)`;

const REQUEST_LOG = `
  CREATE TABLE request_log (
    account_id   uuid    NOT NULL,
    livemode     boolean NOT NULL,
    id           uuid    NOT NULL,
    key_id       uuid,
    user_id      uuid,
    method       text    NOT NULL,
    path         text    NOT NULL,
    route        text    NOT NULL,
    status       integer NOT NULL,
    duration_ms  integer NOT NULL,
    replayed     boolean NOT NULL,
    error_code   text,
    ip           text    NOT NULL,
    user_agent   text,
    request_body text,
    CONSTRAINT request_log_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

/**
 * People, and what they did. A person is not an account's: the e-mail address is unique on the whole platform, and what
 * ties a person to an account is a row of its team.
 */
export class Dashboard1763000000016 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(USERS);
    await db.query(TEAM_MEMBERS);
    await db.query(
      `CREATE UNIQUE INDEX team_members_by_email ON team_members (account_id, email) WHERE removed_at IS NULL`,
    );
    await db.query(`CREATE INDEX team_members_by_user ON team_members (user_id) WHERE removed_at IS NULL`);
    await db.query(`CREATE INDEX team_members_by_invite ON team_members (invite_hash) WHERE invite_hash IS NOT NULL`);
    await db.query(SESSIONS);
    await db.query(`CREATE INDEX sessions_by_token ON sessions (token_hash)`);
    await db.query(`CREATE INDEX sessions_open_by_user ON sessions (account_id, user_id) WHERE ended_at IS NULL`);
    await db.query(`GRANT UPDATE ON users, team_members, sessions TO duka_app`);
    await db.query(AUDIT_LOG);
    await db.query(REQUEST_LOG);
    await db.query(`CREATE INDEX request_log_errors ON request_log (account_id, livemode, id) WHERE status >= 400`);
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type) VALUES ('audit_log', 'uuid'), ('request_log', 'uuid')`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE request_log, audit_log, sessions, team_members, users`);
    await db.query(`DELETE FROM partitioned_tables WHERE name IN ('audit_log', 'request_log')`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of devices with which people log in. Public keys only; the private ones never leave the devices. */
const PASSKEYS = `
  CREATE TABLE passkeys (
    id            uuid        NOT NULL,
    user_id       uuid        NOT NULL,
    credential_id text        NOT NULL,
    public_key    text        NOT NULL,
    counter       bigint      NOT NULL,
    synced        boolean     NOT NULL,
    name          text        NOT NULL,
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz,
    CONSTRAINT passkeys_pkey PRIMARY KEY (id),
    CONSTRAINT passkeys_credential UNIQUE (credential_id)
  )`;

/** What a device is asked to sign. Used or too old, they are removed. Without a session: of a log-in. */
const CHALLENGES = `
  CREATE TABLE passkey_challenges (
    id             uuid        NOT NULL,
    challenge_hash bytea       NOT NULL,
    purpose        text        NOT NULL,
    session_id     uuid,
    expires_at     timestamptz NOT NULL,
    CONSTRAINT passkey_challenges_pkey PRIMARY KEY (id),
    CONSTRAINT passkey_challenges_hash UNIQUE (challenge_hash),
    CONSTRAINT passkey_challenges_hash_is_sha256 CHECK (octet_length(challenge_hash) = 32),
    CONSTRAINT passkey_challenges_purpose CHECK (purpose IN ('add', 'log_in', 'step_up')),
    CONSTRAINT passkey_challenges_session CHECK ((session_id IS NULL) = (purpose = 'log_in'))
  )`;

export class Passkeys1763000000090 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(PASSKEYS);
    await db.query(`CREATE INDEX passkeys_by_user ON passkeys (user_id)`);
    await db.query(`GRANT UPDATE (counter, synced, name, last_used_at), DELETE ON passkeys TO duka_app`);
    await db.query(CHALLENGES);
    await db.query(`CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at)`);
    await db.query(`GRANT DELETE ON passkey_challenges TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE passkey_challenges, passkeys`);
  }
}

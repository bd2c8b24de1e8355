import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1763000000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE accounts (
        id           uuid        NOT NULL,
        name         text        NOT NULL,
        live_enabled boolean     NOT NULL DEFAULT false,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT accounts_pkey PRIMARY KEY (id)
      )`);
    await db.query(`
      CREATE TABLE api_keys (
        account_id   uuid        NOT NULL,
        id           uuid        NOT NULL,
        livemode     boolean     NOT NULL,
        name         text        NOT NULL,
        last4        text        NOT NULL,
        hash         bytea       NOT NULL,
        scopes       text[],
        allowed_ips  text[],
        expires_at   timestamptz,
        revoked_at   timestamptz,
        last_used_at timestamptz,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT api_keys_hash_is_sha256 CHECK (octet_length(hash) = 32)
      )`);
    await db.query(`CREATE INDEX api_keys_by_hash ON api_keys (hash)`);
    await db.query(`GRANT UPDATE ON accounts, api_keys TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE api_keys, accounts`);
  }
}

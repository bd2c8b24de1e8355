import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of operators. Running processes of the public API neither read nor make them. */
export class PlatformKeys1763000000025 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE platform_keys (
        id           uuid        NOT NULL,
        user_id      uuid        NOT NULL,
        name         text        NOT NULL,
        last4        text        NOT NULL,
        hash         bytea       NOT NULL,
        expires_at   timestamptz NOT NULL,
        revoked_at   timestamptz,
        last_used_at timestamptz,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT platform_keys_pkey PRIMARY KEY (id),
        CONSTRAINT platform_keys_hash UNIQUE (hash),
        CONSTRAINT platform_keys_hash_is_sha256 CHECK (octet_length(hash) = 32)
      )`);
    await db.query(`REVOKE ALL ON platform_keys FROM duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE platform_keys`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where an account decides about the authorizations of its cards itself, and what counts when it does not answer. */
const ENDPOINTS = `
  CREATE TABLE card_authorization_endpoints (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    id         uuid        NOT NULL,
    url        text        NOT NULL,
    fallback   text        NOT NULL,
    secret     bytea       NOT NULL,
    version    integer     NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT card_authorization_endpoints_pkey PRIMARY KEY (account_id, livemode),
    CONSTRAINT card_authorization_endpoints_fallback CHECK (fallback IN ('approve', 'decline'))
  )`;

export class AuthorizationEndpoints1763000000062 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ENDPOINTS);
    await db.query(
      `GRANT UPDATE (url, fallback, version, updated_at), DELETE ON card_authorization_endpoints TO duka_app`,
    );
    await db.query(`ALTER TABLE card_transactions ADD COLUMN decision jsonb`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE card_transactions DROP COLUMN decision`);
    await db.query(`DROP TABLE card_authorization_endpoints`);
  }
}

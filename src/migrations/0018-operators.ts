import type { MigrationInterface, QueryRunner } from 'typeorm';

const PROVIDER_CALLS = `
  CREATE TABLE provider_calls (
    minute       timestamptz NOT NULL,
    product      text        NOT NULL,
    provider     text        NOT NULL,
    livemode     boolean     NOT NULL,
    call         text        NOT NULL,
    outcome      text        NOT NULL,
    calls        integer     NOT NULL,
    milliseconds bigint      NOT NULL,
    CONSTRAINT provider_calls_pkey PRIMARY KEY (minute, product, provider, livemode, call, outcome),
    CONSTRAINT provider_calls_positive CHECK (calls > 0 AND milliseconds >= 0)
  )`;

/** What operators of the platform see and set from the dashboard. */
export class Operators1763000000018 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users ADD COLUMN operator boolean NOT NULL DEFAULT false`);
    await db.query(PROVIDER_CALLS);
    await db.query(`GRANT UPDATE, DELETE ON provider_calls TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE provider_calls`);
    await db.query(`ALTER TABLE users DROP COLUMN operator`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How payers see an account. Nulls: its own name, our colour, no logo. */
const ACCOUNT_BRANDINGS = `
  CREATE TABLE account_brandings (
    account_id uuid        NOT NULL,
    name       text,
    colour     text,
    logo       bytea,
    logo_hash  text        GENERATED ALWAYS AS (encode(sha256(logo), 'hex')) STORED,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT account_brandings_pkey PRIMARY KEY (account_id),
    CONSTRAINT account_brandings_colour CHECK (colour ~ '^#[0-9a-f]{6}$'),
    CONSTRAINT account_brandings_logo CHECK (octet_length(logo) <= 65536)
  )`;

export class AccountBrandings1763000000095 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ACCOUNT_BRANDINGS);
    await db.query(`GRANT UPDATE (name, colour, logo, updated_at) ON account_brandings TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE account_brandings`);
  }
}

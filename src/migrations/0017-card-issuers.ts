import type { MigrationInterface, QueryRunner } from 'typeorm';

const ISSUER_CALLS = `
  CREATE TABLE issuer_calls (
    account_id       uuid    NOT NULL,
    livemode         boolean NOT NULL,
    id               uuid    NOT NULL,
    card_id          uuid    NOT NULL,
    issuer           text    NOT NULL,
    call             text    NOT NULL,
    outcome          text    NOT NULL,
    code             text,
    message          text,
    CONSTRAINT issuer_calls_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT issuer_calls_call CHECK (call IN ('issue', 'find', 'update')),
    CONSTRAINT issuer_calls_outcome CHECK (outcome IN ('done', 'refused', 'unknown', 'not_known'))
  ) PARTITION BY RANGE (id)`;

const SANDBOX_CARDS = `
  CREATE TABLE sandbox_cards (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    reference  uuid        NOT NULL,
    scenario   text        NOT NULL,
    status     text        NOT NULL,
    calls      integer     NOT NULL DEFAULT 0,
    ready_at   timestamptz NOT NULL,
    CONSTRAINT sandbox_cards_pkey PRIMARY KEY (account_id, reference),
    CONSTRAINT sandbox_cards_test_only CHECK (NOT livemode)
  )`;

/** What issuers of cards were asked, whom to ask, and what the sandbox's issuer remembers. */
export class CardIssuers1763000000017 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ISSUER_CALLS);
    await db.query(SANDBOX_CARDS);
    await db.query(`CREATE INDEX issuer_calls_by_card ON issuer_calls (account_id, card_id, id)`);
    await db.query(`GRANT UPDATE ON sandbox_cards TO duka_app`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('issuer_calls', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position)
        VALUES ('cards', '*', false, 'sandbox', 1)`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'cards'`);
    await db.query(`DROP TABLE sandbox_cards, issuer_calls`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'issuer_calls'`);
  }
}

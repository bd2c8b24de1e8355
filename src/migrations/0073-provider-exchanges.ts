import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests to companies, and what they answered; bodies are sealed. `about`: a transaction, payment or card. What is
 * asked on our own behalf is the platform's.
 */
const EXCHANGES = `
  CREATE TABLE provider_exchanges (
    account_id  uuid    NOT NULL,
    livemode    boolean NOT NULL,
    id          uuid    NOT NULL,
    about       uuid,
    company     text    NOT NULL,
    product     text,
    call        text,
    method      text    NOT NULL,
    status      integer,
    fault       text,
    duration_ms integer NOT NULL,
    box         bytea   NOT NULL,
    CONSTRAINT provider_exchanges_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

/** Tokens of companies; sealed. */
const SESSIONS = `
  CREATE TABLE provider_sessions (
    name  text        NOT NULL,
    box   bytea       NOT NULL,
    until timestamptz NOT NULL,
    CONSTRAINT provider_sessions_pkey PRIMARY KEY (name)
  )`;

export class ProviderExchanges1763000000073 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(EXCHANGES);
    await db.query(`CREATE INDEX provider_exchanges_about ON provider_exchanges (account_id, about, id)`);
    await db.query(`CREATE INDEX provider_exchanges_company ON provider_exchanges (company, id)`);
    // 90 days are shown, whatever day of the month it is.
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type, keep_months) VALUES ('provider_exchanges', 'uuid', 3)`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(SESSIONS);
    // Sealed anew when the key changes.
    await db.query(`GRANT UPDATE ON provider_exchanges, provider_sessions TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE provider_exchanges, provider_sessions`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'provider_exchanges'`);
  }
}

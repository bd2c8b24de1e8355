import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes of one time, which an issuer has its cardholder enter (3-D Secure). Only ever sealed. */
const AUTHENTICATIONS = `
  CREATE TABLE card_authentications (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    id         uuid        NOT NULL,
    card_id    uuid        NOT NULL,
    code       bytea       NOT NULL,
    amount     bigint,
    currency   text,
    merchant   jsonb,
    expires_at timestamptz,
    CONSTRAINT card_authentications_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT card_authentications_money CHECK ((amount IS NULL) = (currency IS NULL) AND amount >= 0)
  ) PARTITION BY RANGE (id)`;

export class CardAuthentications1763000000067 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(AUTHENTICATIONS);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('card_authentications', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE card_authentications`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'card_authentications'`);
  }
}

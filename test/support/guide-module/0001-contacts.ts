import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONTACTS = `
  CREATE TABLE growth_contacts (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    phone      text        NOT NULL,
    name       text        NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT growth_contacts_pkey PRIMARY KEY (account_id, livemode, phone)
  )`;

export class GrowthContacts1763500000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(CONTACTS);
    // The application's role may read and add everywhere; what else it does is granted by name.
    await db.query(`GRANT UPDATE ON growth_contacts TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE growth_contacts`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const PARCELS = `
  CREATE TABLE acme_parcels (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    label      text    NOT NULL,
    CONSTRAINT acme_parcels_pkey PRIMARY KEY (account_id, livemode, id)
  )`;

/** The application's role may read and add everywhere; what else it does is granted by name. */
export class AcmeParcels1763500000002 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(PARCELS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE acme_parcels`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Something that partners are told of. What was written stays: nothing here is ever changed. */
const INCIDENTS = `
  CREATE TABLE incidents (
    id         uuid        NOT NULL,
    title      text        NOT NULL,
    products   text[]      NOT NULL,
    networks   text[]      NOT NULL,
    started_at timestamptz NOT NULL,
    CONSTRAINT incidents_pkey PRIMARY KEY (id)
  )`;

const UPDATES = `
  CREATE TABLE incident_updates (
    incident_id uuid NOT NULL,
    id          uuid NOT NULL,
    state       text NOT NULL,
    note        text NOT NULL,
    user_id     uuid NOT NULL,
    person      text NOT NULL,
    CONSTRAINT incident_updates_pkey PRIMARY KEY (incident_id, id),
    CONSTRAINT incident_updates_state CHECK (state IN ('investigating', 'identified', 'monitoring', 'resolved'))
  )`;

export class Incidents1763000000092 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(INCIDENTS);
    await db.query(UPDATES);
    // It ends once, whoever says so at the same moment.
    await db.query(
      `CREATE UNIQUE INDEX incident_updates_end ON incident_updates (incident_id) WHERE state = 'resolved'`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE incident_updates, incidents`);
  }
}

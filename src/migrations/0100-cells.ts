import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which cell keeps which of the 4,096 slots. Written in the control cell, a copy in each; no rows where there is one
 * cell. `epoch` grows with each change.
 */
const CELLS = `
  CREATE TABLE cells (
    name       text           NOT NULL,
    addresses  text[]         NOT NULL,
    slots      int4multirange NOT NULL DEFAULT '{}',
    is_control boolean        NOT NULL,
    epoch      bigint         NOT NULL,
    CONSTRAINT cells_pkey PRIMARY KEY (name),
    CONSTRAINT cells_name CHECK (name ~ '^[a-z][a-z0-9-]{0,30}$'),
    CONSTRAINT cells_addresses CHECK (cardinality(addresses) > 0),
    CONSTRAINT cells_slots_exist CHECK (slots <@ '{[0,4096)}'),
    CONSTRAINT cells_slots_once EXCLUDE USING gist (slots WITH &&) DEFERRABLE INITIALLY DEFERRED
  )`;

/** The name of the cell that a database is: of each its own, and in none but cells. */
const THIS_CELL = `
  CREATE TABLE this_cell (
    name text NOT NULL,
    CONSTRAINT this_cell_pkey PRIMARY KEY (name)
  )`;

export class Cells1763000000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(CELLS);
    await db.query(THIS_CELL);
    await db.query(`CREATE UNIQUE INDEX this_cell_once ON this_cell ((true))`);
    await db.query(`REVOKE INSERT ON cells, this_cell FROM duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE this_cell, cells`);
  }
}

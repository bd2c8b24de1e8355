import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filters of a list that somebody gave a name. Those that are shared, everybody of the account sees. */
const SAVED_VIEWS = `
  CREATE TABLE saved_views (
    account_id uuid        NOT NULL,
    id         uuid        NOT NULL,
    user_id    uuid        NOT NULL,
    page       text        NOT NULL,
    name       text        NOT NULL,
    search     text        NOT NULL,
    shared     boolean     NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT saved_views_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT saved_views_by_name UNIQUE (account_id, user_id, page, name)
  )`;

export class SavedViews1763000000089 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(SAVED_VIEWS);
    await db.query(`GRANT UPDATE (name, search, shared, updated_at), DELETE ON saved_views TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE saved_views`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What concerns every account, written in the control cell where there are several, a copy in each. */
const ANNOUNCEMENTS = `
  CREATE TABLE announcements (
    id   uuid  NOT NULL,
    news jsonb NOT NULL,
    CONSTRAINT announcements_pkey PRIMARY KEY (id)
  )`;

/** Which of them a cell has told its accounts. */
const HEARD = `
  CREATE TABLE heard_announcements (
    id uuid NOT NULL,
    CONSTRAINT heard_announcements_pkey PRIMARY KEY (id)
  )`;

export class Announcements1763000000103 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ANNOUNCEMENTS);
    await db.query(HEARD);
    await db.query(`GRANT DELETE ON announcements, heard_announcements TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE heard_announcements, announcements`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One box that every process opens at its start: with another key it would fail here, not at somebody's secret. */
export class SecretsCheck1763000000036 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE secrets_check (
        name text  NOT NULL,
        box  bytea NOT NULL,
        CONSTRAINT secrets_check_pkey PRIMARY KEY (name),
        CONSTRAINT secrets_check_once CHECK (name = 'secrets_check')
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE secrets_check`);
  }
}

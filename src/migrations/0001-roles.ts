import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The application's role: may read and add; later migrations grant the few changes that it needs, table by table. */
export class Roles1763000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Roles belong to the server, not to the database: a second database on it finds the role there already.
    await db.query(`
      DO $$ BEGIN
        CREATE ROLE duka_app NOLOGIN;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$`);
    await db.query(`GRANT duka_app TO CURRENT_USER`);
    await db.query(`GRANT USAGE ON SCHEMA public TO duka_app`);
    await db.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO duka_app`);
    await db.query(`
      CREATE FUNCTION assert_row_count(actual bigint, expected bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF actual IS DISTINCT FROM expected THEN
          RAISE EXCEPTION '% rows changed, % expected', actual, expected USING ERRCODE =
            'triggered_data_change_violation';
        END IF;
      END $$`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION assert_row_count`);
    await db.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE SELECT, INSERT ON TABLES FROM duka_app`);
    await db.query(`REVOKE USAGE ON SCHEMA public FROM duka_app`);
  }
}

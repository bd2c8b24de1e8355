import type { MigrationInterface, QueryRunner } from 'typeorm';

const schemaOf = async (db: QueryRunner): Promise<string> =>
  (await db.query('SELECT quote_ident(current_schema()) AS name'))[0].name;

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
    const schema = await schemaOf(db);
    await db.query(`GRANT USAGE ON SCHEMA ${schema} TO duka_app`);
    await db.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT ON TABLES TO duka_app`);
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
    const schema = await schemaOf(db);
    await db.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE SELECT, INSERT ON TABLES FROM duka_app`);
    await db.query(`REVOKE USAGE ON SCHEMA ${schema} FROM duka_app`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const DROP_EXPIRED_PARTITIONS = `
  CREATE FUNCTION drop_expired_partitions() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
  DECLARE
    child text;
    dropped integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_monthly_partitions'));
    FOR child IN
      SELECT c.relname FROM partitioned_tables t JOIN pg_inherits i ON i.inhparent = t.name::regclass JOIN pg_class c
        ON c.oid = i.inhrelid
       WHERE c.relname < t.name || to_char(now() AT TIME ZONE 'UTC' - make_interval(months => t.keep_months),
         '_YYYY_MM')
    LOOP
      EXECUTE format('DROP TABLE %I', child);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$`;

/**
 * The request log says what customers sent: it is kept for three months. What has no number of months is kept for ever.
 */
export class Retention1763000000019 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE partitioned_tables ADD COLUMN keep_months integer CONSTRAINT partitioned_tables_keep_months
        CHECK (keep_months > 0)`,
    );
    await db.query(`UPDATE partitioned_tables SET keep_months = 3 WHERE name = 'request_log'`);
    await db.query(DROP_EXPIRED_PARTITIONS);
    await db.query(`REVOKE ALL ON FUNCTION drop_expired_partitions FROM PUBLIC`);
    await db.query(`GRANT EXECUTE ON FUNCTION drop_expired_partitions TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION drop_expired_partitions`);
    await db.query(`ALTER TABLE partitioned_tables DROP COLUMN keep_months`);
  }
}

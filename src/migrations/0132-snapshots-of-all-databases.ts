import type { MigrationInterface, QueryRunner } from 'typeorm';

const oldestSnapshotSeconds = (ofActivity: string, ofPrepared: string): string => `
  CREATE OR REPLACE FUNCTION oldest_snapshot_seconds() RETURNS double precision
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (SELECT coalesce(extract(epoch FROM max(clock_timestamp() - since)), 0)
    FROM (SELECT xact_start FROM pg_stat_activity WHERE ${ofActivity} (backend_xmin IS NOT NULL
      OR backend_xid IS NOT NULL)
          UNION ALL SELECT prepared FROM pg_prepared_xacts ${ofPrepared}) open (since))`;

/** The relay goes as far as the oldest transaction of the server, of whichever of its databases. */
export class SnapshotsOfAllDatabases1763000000132 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(oldestSnapshotSeconds('', ''));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(oldestSnapshotSeconds('datname = current_database() AND', 'WHERE database = current_database()'));
  }
}

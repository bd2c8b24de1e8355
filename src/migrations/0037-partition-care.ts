import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Made beside its parent and attached: `CREATE … PARTITION OF` would wait for every open read of the parent, and all
 * others behind it.
 */
export const ENSURE_MONTHLY_PARTITIONS = `
  CREATE OR REPLACE FUNCTION ensure_monthly_partitions(months_ahead integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE
    parent partitioned_tables;
    lower timestamptz;
    upper timestamptz;
    child text;
    made integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_monthly_partitions'));
    FOR parent IN SELECT * FROM partitioned_tables LOOP
      FOR month IN 0 .. months_ahead LOOP
        lower := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + make_interval(months => month);
        upper := lower + interval '1 month';
        child := parent.name || to_char(lower AT TIME ZONE 'UTC', '_YYYY_MM');
        CONTINUE WHEN to_regclass(child) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent.name);
        IF parent.key_type = 'uuid' THEN
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            parent.name, child, uuid_v7_floor(lower), uuid_v7_floor(upper));
        ELSE
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent.name, child, lower,
            upper);
        END IF;
        made := made + 1;
      END LOOP;
    END LOOP;
    RETURN made;
  END $$`;

const MONTHLY_PARTITIONS_EXIST = `
  CREATE FUNCTION monthly_partitions_exist(months_ahead integer) RETURNS boolean LANGUAGE sql STABLE
  RETURN NOT EXISTS (
    SELECT 1 FROM partitioned_tables p CROSS JOIN generate_series(0, months_ahead) AS month
     WHERE to_regclass(p.name || to_char(now() AT TIME ZONE 'UTC' + make_interval(months => month), '_YYYY_MM')) IS
       NULL)`;

/** Dropping a partition stops its parent: briefly, or not now. */
const DROP_IN_A_MOMENT = `ALTER FUNCTION drop_expired_partitions SET lock_timeout = '100ms'`;

/**
 * Autovacuum analyzes partitions, never their parent. Without statistics of it a join is planned as if it were empty.
 */
const ANALYZE_PARTITIONED = `
  CREATE FUNCTION analyze_partitioned(parent text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
  DECLARE
    -- From PostgreSQL 18 on the partitions, which autovacuum keeps, can be left out.
    only_parent text := CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY ' ELSE '' END;
  BEGIN
    PERFORM 1 FROM partitioned_tables WHERE name = parent;
    IF NOT FOUND THEN RAISE EXCEPTION '% is no partitioned table of ours', parent; END IF;
    EXECUTE format('ANALYZE ' || only_parent || '%I', parent);
  END $$`;

/** By its owner's eyes: others do not see how long somebody's transaction has been open. */
const OLDEST_SNAPSHOT_SECONDS = `
  CREATE FUNCTION oldest_snapshot_seconds() RETURNS double precision
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (SELECT coalesce(extract(epoch FROM max(clock_timestamp() - since)), 0)
    FROM (SELECT xact_start FROM pg_stat_activity WHERE datname = current_database() AND (backend_xmin IS NOT NULL
      OR backend_xid IS NOT NULL)
          UNION ALL SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()) open (since))`;

/** What was asked of others, and what they said: longer than any dispute takes. */
const KEPT_A_YEAR = ['purchase_attempts', 'purchase_checks', 'webhook_attempts', 'issuer_calls'];

const RECURRING_RUNS = `
  CREATE TABLE recurring_runs (
    job         text        NOT NULL,
    finished_at timestamptz NOT NULL,
    CONSTRAINT recurring_runs_pkey PRIMARY KEY (job)
  )`;

export class PartitionCare1763000000037 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(ENSURE_MONTHLY_PARTITIONS);
    await db.query(MONTHLY_PARTITIONS_EXIST);
    await db.query(DROP_IN_A_MOMENT);
    await db.query(ANALYZE_PARTITIONED);
    await db.query(OLDEST_SNAPSHOT_SECONDS);
    await db.query(RECURRING_RUNS);
    await db.query(`REVOKE ALL ON FUNCTION analyze_partitioned, oldest_snapshot_seconds FROM PUBLIC`);
    await db.query(`GRANT EXECUTE ON FUNCTION analyze_partitioned, oldest_snapshot_seconds TO duka_app`);
    await db.query(`GRANT UPDATE ON recurring_runs TO duka_app`);
    await db.query(`UPDATE partitioned_tables SET keep_months = 13 WHERE name = ANY ($1)`, [KEPT_A_YEAR]);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`UPDATE partitioned_tables SET keep_months = NULL WHERE name = ANY ($1)`, [KEPT_A_YEAR]);
    await db.query(`DROP TABLE recurring_runs`);
    await db.query(`DROP FUNCTION analyze_partitioned, oldest_snapshot_seconds, monthly_partitions_exist`);
  }
}

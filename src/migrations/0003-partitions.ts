import type { MigrationInterface, QueryRunner } from 'typeorm';

const PARTITIONED_TABLES = `
  CREATE TABLE partitioned_tables (
    name     text NOT NULL,
    key_type text NOT NULL,
    CONSTRAINT partitioned_tables_pkey PRIMARY KEY (name),
    CONSTRAINT partitioned_tables_key_type CHECK (key_type IN ('uuid', 'timestamptz'))
  )`;

const ENSURE_MONTHLY_PARTITIONS = `
  CREATE FUNCTION ensure_monthly_partitions(months_ahead integer) RETURNS integer
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
        IF parent.key_type = 'uuid' THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            child, parent.name, uuid_v7_floor(lower), uuid_v7_floor(upper));
        ELSE
          EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', child, parent.name, lower,
            upper);
        END IF;
        made := made + 1;
      END LOOP;
    END LOOP;
    RETURN made;
  END $$`;

/**
 * Append-only tables are split by month. A table registers here with the kind of its partition key;
 * `ensure_monthly_partitions` makes what is missing and is safe to call at any time, by the application too.
 */
export class Partitions1763000000003 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(PARTITIONED_TABLES);
    // A UUIDv7 starts with its 48-bit time, so a month is a range of ids too.
    await db.query(`
      CREATE FUNCTION uuid_v7_floor(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT
      RETURN (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`);
    await db.query(ENSURE_MONTHLY_PARTITIONS);
    await db.query(`REVOKE ALL ON FUNCTION ensure_monthly_partitions FROM PUBLIC`);
    await db.query(`GRANT EXECUTE ON FUNCTION ensure_monthly_partitions TO duka_app`);
    await db.query(`REVOKE INSERT ON partitioned_tables FROM duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION ensure_monthly_partitions`);
    await db.query(`DROP FUNCTION uuid_v7_floor`);
    await db.query(`DROP TABLE partitioned_tables`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What two servers, or two futures of one, differ in: the cluster, and the timeline that a restore or a failover
 * begins.
 */
const SERVER_IDENTITY = `
  CREATE FUNCTION server_identity() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT system_identifier || ':' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()
  $$`;

/** Numbers events. A plain expression, so that an INSERT pays an addition; made anew by `begin_event_epoch`. */
const EVENT_NUMBER = `
  CREATE FUNCTION event_number() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT pg_current_xact_id()::text::bigint + 0 $$`;

export const BEGIN_EVENT_EPOCH = `
  CREATE FUNCTION begin_event_epoch() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
  DECLARE
    place relay_position;
    base bigint;
    is_elsewhere boolean;
    is_behind boolean;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('webhooks.relay'));
    SELECT * INTO place FROM relay_position WHERE name = 'webhooks' FOR UPDATE;
    IF place.server = server_identity() THEN
      RETURN false;
    END IF;
    -- Waits for whoever writes with the old numbers; readers do not wait.
    LOCK TABLE events, webhook_endpoints IN SHARE ROW EXCLUSIVE MODE;
    base := (place.epoch + 1)::bigint << 48;
    is_elsewhere := split_part(place.server, ':', 1) <> split_part(server_identity(), ':', 1);
    is_behind := pg_current_xact_id()::text::bigint < place.xact - (place.epoch::bigint << 48);
    -- What this server itself wrote before its epoch began: the row was written by the transaction that it names.
    UPDATE events SET xact = base
     WHERE id >= uuid_v7_floor(place.at - interval '1 day') AND xmin::text::bigint = (xact & 4294967295) AND (is_behind
       OR xact >= place.xact);
    -- Tables that were copied one after the other tell of different moments.
    IF is_elsewhere THEN
      place.xact := least(place.xact, (SELECT min(xact) FROM events
        WHERE id >= uuid_v7_floor(place.at - interval '1 day') AND xact > 0));
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION event_number() RETURNS bigint LANGUAGE sql STABLE AS %L',
      format(' SELECT pg_current_xact_id()::text::bigint + %s ', base));
    UPDATE relay_position SET epoch = place.epoch + 1, server = server_identity(), xact = place.xact
      WHERE name = 'webhooks';
    RETURN true;
  END $$`;

/**
 * Numbers of transactions mean something on one server only. After a restore, an upgrade or a failover an epoch begins:
 * events are numbered from above all numbers that there were, so their order and the relay's position go on.
 */
export class EventEpochs1763000000038 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(SERVER_IDENTITY);
    await db.query(EVENT_NUMBER);
    await db.query(`ALTER TABLE events ALTER COLUMN xact SET DEFAULT event_number()`);
    await db.query(`ALTER TABLE webhook_endpoints ALTER COLUMN created_in SET DEFAULT event_number()`);
    // Of no server yet: the database may have been restored before this release, too.
    await db.query(
      `ALTER TABLE relay_position ADD COLUMN server text NOT NULL DEFAULT '', ADD COLUMN epoch integer NOT NULL
        DEFAULT 0`,
    );
    await db.query(BEGIN_EVENT_EPOCH);
    await db.query(`REVOKE ALL ON FUNCTION begin_event_epoch FROM PUBLIC`);
    await db.query(`GRANT EXECUTE ON FUNCTION begin_event_epoch TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION begin_event_epoch`);
    await db.query(`ALTER TABLE relay_position DROP COLUMN server, DROP COLUMN epoch`);
    await db.query(`ALTER TABLE events ALTER COLUMN xact SET DEFAULT pg_current_xact_id()::text::bigint`);
    await db.query(
      `ALTER TABLE webhook_endpoints ALTER COLUMN created_in SET DEFAULT pg_current_xact_id()::text::bigint`,
    );
    await db.query(`DROP FUNCTION event_number, server_identity`);
  }
}

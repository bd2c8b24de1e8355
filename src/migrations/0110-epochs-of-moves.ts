import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BEGIN_EVENT_EPOCH } from './0038-event-epochs';

/**
 * Begins an epoch where this server's does not run, and anyhow with `above`: the epoch from which events were copied
 * into this schema. Then numbers are above all of theirs, too, and the relay looks for what has no delivery yet.
 */
export const RENEW_EVENT_EPOCH = `
  CREATE FUNCTION renew_event_epoch(above integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
  DECLARE
    place relay_position;
    next integer;
    base bigint;
    is_here boolean;
  BEGIN
    -- Locks are a database's. In 'public' it is called as releases before this one call it.
    PERFORM pg_advisory_xact_lock(
      hashtext(CASE current_schema() WHEN 'public' THEN '' ELSE current_schema() || ' ' END || 'webhooks.relay'));
    SELECT * INTO place FROM relay_position WHERE name = 'webhooks' FOR UPDATE;
    is_here := place.server = server_identity();
    IF is_here AND above IS NULL THEN
      RETURN false;
    END IF;
    -- Waits for whoever writes with the old numbers; readers do not wait.
    LOCK TABLE events, webhook_endpoints IN SHARE ROW EXCLUSIVE MODE;
    next := greatest(place.epoch, above) + 1;
    base := next::bigint << 48;
    -- What this server itself wrote before its epoch began: the row was written by the transaction that it names.
    IF NOT is_here THEN
      UPDATE events SET xact = base
       WHERE id >= uuid_v7_floor(place.at - interval '1 day') AND xmin::text::bigint = (xact & 4294967295)
         AND (xact >= place.xact
           OR pg_current_xact_id()::text::bigint < place.xact - (place.epoch::bigint << 48));
    END IF;
    -- Tables that were copied one after the other tell of different moments, and so does what came from elsewhere.
    IF above IS NOT NULL OR split_part(place.server, ':', 1) <> split_part(server_identity(), ':', 1) THEN
      place.xact := least(place.xact, (SELECT min(xact) FROM events
        WHERE id >= uuid_v7_floor(place.at - interval '1 day') AND xact > 0));
      place.at := place.at - interval '1 day';
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION event_number() RETURNS bigint LANGUAGE sql STABLE AS %L',
      format(' SELECT pg_current_xact_id()::text::bigint + %s ', base));
    UPDATE relay_position SET epoch = next, server = server_identity(), xact = place.xact, at = place.at
      WHERE name = 'webhooks';
    RETURN true;
  END $$`;

const BEGIN = `
  CREATE OR REPLACE FUNCTION begin_event_epoch() RETURNS boolean
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
    SELECT renew_event_epoch(NULL) $$`;

/** Events may come from another schema, too; and each schema has a relay of its own. */
export class EpochsOfMoves1763000000110 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(RENEW_EVENT_EPOCH);
    await db.query(`REVOKE ALL ON FUNCTION renew_event_epoch FROM PUBLIC`);
    await db.query(BEGIN);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(BEGIN_EVENT_EPOCH.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    await db.query(`DROP FUNCTION renew_event_epoch`);
  }
}

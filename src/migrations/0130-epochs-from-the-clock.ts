import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTS_TOLD_APART } from './0113-events-of-the-own-server';

/**
 * A number is `base` and the number of the transaction, whose last 32 bits are the row's `xmin`; `first` is the lowest
 * of the epoch. Until now `base` was the epoch in the upper bits.
 */
const COLUMNS = `
  ALTER TABLE relay_position ADD COLUMN base bigint NOT NULL DEFAULT 0, ADD COLUMN first bigint NOT NULL DEFAULT 0`;
const AS_THEY_ARE = 'UPDATE relay_position SET base = epoch::bigint << 48, first = epoch::bigint << 48';

/**
 * Begins an epoch where this server's does not run, and anyhow with `above`: a number from where events were copied
 * into this schema that none there exceeds. Then numbers are above all of theirs, too, and the relay looks for what has
 * no delivery yet, unless whoever copied does so itself (`looks_back`).
 */
const RENEW_EVENT_EPOCH = `
  CREATE FUNCTION renew_event_epoch(above bigint, looks_back boolean DEFAULT true) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
  DECLARE
    place relay_position;
    is_here boolean;
    is_elsewhere boolean;
    since uuid;
    was bigint;
    lowest_own bigint;
    lowest bigint;
    copied text[] := '{}';
    oldest bigint;
    next bigint;
  BEGIN
    -- Locks are a database's. In 'public' it is called as releases before this one call it.
    PERFORM pg_advisory_xact_lock(
      hashtext(CASE current_schema() WHEN 'public' THEN '' ELSE current_schema() || ' ' END || 'webhooks.relay'));
    SELECT * INTO place FROM relay_position WHERE name = 'webhooks' FOR UPDATE;
    is_here := place.server = server_identity();
    IF is_here AND above IS NULL THEN
      RETURN false;
    END IF;
    is_elsewhere := split_part(place.server, ':', 1) <> split_part(server_identity(), ':', 1);
    since := uuid_v7_floor(place.at - interval '1 day');
    -- What this server adds to its transactions' numbers until now, and the lowest that counts of what that gave.
    was := event_number() - pg_current_xact_id()::text::bigint;
    lowest_own := CASE WHEN event_number() < place.xact AND NOT is_here THEN was ELSE place.xact END;
    lowest := place.xact;
    -- Reads a day of events, before anybody waits: what is written meanwhile is this server's own.
    IF is_elsewhere OR (above IS NOT NULL AND looks_back) THEN
      -- Whoever wrote events of several transactions copied them, also the one that has its number by chance.
      copied := array(SELECT xmin::text FROM events WHERE id >= since GROUP BY xmin HAVING min(xact) <> max(xact));
      -- Tables that were copied one after the other tell of different moments, and so does what came from elsewhere.
      SELECT coalesce(min(xact), place.xact) INTO lowest FROM events
       WHERE id >= since AND xact > 0 AND xact < place.xact AND NOT (xact BETWEEN lowest_own AND event_number()
         AND xmin::text::bigint = (xact & 4294967295) AND xmin::text <> ALL (copied));
      place.at := place.at - interval '1 day';
    END IF;
    -- Waits for whoever writes with the old numbers; readers do not wait.
    LOCK TABLE events, webhook_endpoints IN SHARE ROW EXCLUSIVE MODE;
    -- A second is worth more numbers than it has transactions: what any past gave lies below the clock. And by a whole
    -- turn of 'xmin' above all that is known here, should a clock be wrong.
    oldest := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
    next := greatest((extract(epoch FROM clock_timestamp()) * 2147483648)::bigint, was + oldest, place.base + oldest,
                     place.xact, above, (SELECT max(xact) FROM events)) - oldest;
    next := ((next >> 32) + 2) << 32;
    -- What this server itself wrote before its epoch began: the row was written by the transaction that it names.
    IF NOT is_here THEN
      UPDATE events SET xact = next + oldest
       WHERE id >= since AND xact >= lowest_own
         AND xact <= greatest(event_number(), was + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
         AND xmin::text::bigint = (xact & 4294967295) AND xmin::text <> ALL (copied);
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION event_number() RETURNS bigint LANGUAGE sql STABLE AS %L',
      format(' SELECT pg_current_xact_id()::text::bigint + %s ', next));
    -- The epoch is what processes of releases before this one know of it: they take no number for a higher one.
    UPDATE relay_position SET base = next, first = next + oldest, epoch = next >> 48, server = server_identity(),
           xact = lowest, at = place.at
     WHERE name = 'webhooks';
    RETURN true;
  END $$`;

const REVOKE = 'REVOKE ALL ON FUNCTION renew_event_epoch FROM PUBLIC';

/**
 * Numbers of an epoch begin at the clock, so that no two pasts give the same one; and while events are locked, only
 * what the relay had not read is looked at.
 */
export class EpochsFromTheClock1763000000130 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(COLUMNS);
    await db.query(AS_THEY_ARE);
    await db.query('DROP FUNCTION renew_event_epoch');
    await db.query(RENEW_EVENT_EPOCH);
    await db.query(REVOKE);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION renew_event_epoch');
    await db.query(EVENTS_TOLD_APART);
    await db.query(REVOKE);
    // Above what the clock gave.
    await db.query('SELECT renew_event_epoch(0) FROM relay_position WHERE base <> epoch::bigint << 48');
    await db.query('ALTER TABLE relay_position DROP COLUMN base, DROP COLUMN first');
  }
}

/** Columns of `events e` as `StoredEvent`. */
export const EVENT = `e.account_id AS "accountId", e.livemode, e.id, e.type, e.object_type AS "objectType", e.object_id AS "objectId", e.snapshot,
  e.request_id AS "requestId", e.idempotency_key AS "idempotencyKey", e.xact::text AS number`;

/** Where the relay's world ends: of `relay_position r`, the number below which every transaction is decided. */
const DECIDED = `(r.epoch::bigint << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const OF_EVENT = 'd.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id';

/** A delivery that did not succeed counts no more once its endpoint got the event by another one. */
const IS_OWED = `EXISTS (
  SELECT FROM webhook_deliveries d WHERE ${OF_EVENT} AND d.status <> 'delivered' AND NOT EXISTS (
    SELECT FROM webhook_deliveries s
     WHERE s.account_id = d.account_id AND s.livemode = d.livemode AND s.event_id = d.event_id AND s.endpoint_id = d.endpoint_id
       AND s.status = 'delivered'))`;

/** From deliveries to events, newest first: neither all events nor, for those that are owed, all deliveries are read. */
const eventsWith = (status: string, condition: string): string => `
  SELECT ${EVENT} FROM (
    SELECT DISTINCT event_id FROM webhook_deliveries
     WHERE account_id = $1 AND livemode = $2 AND event_id < $3 AND event_id < $4 AND event_id >= $5 AND status ${status} 'delivered'
     ORDER BY event_id DESC
  ) d JOIN events e ON e.account_id = $1 AND e.livemode = $2 AND e.id = d.event_id
   WHERE ($6::text[] IS NULL OR e.type = ANY ($6)) AND ($8::text[] IS NULL OR e.object_type = ANY ($8)) AND ${condition}
   ORDER BY e.id DESC LIMIT $7`;

/**
 * Oldest commit first, as the relay reads: account, mode, behind number and id, lowest id, types, prefixes that may be read, times from
 * and to as ids, rows. What the relay has not got to yet comes once it is decided, so nothing can appear behind a cursor. Events
 * of tests have no place in the order.
 */
export const SELECT_EVENTS_FOLLOWED = `
  SELECT ${EVENT} FROM relay_position r, events e
   WHERE r.name = 'webhooks' AND e.account_id = $1 AND e.livemode = $2 AND e.xact > 0 AND e.xact < ${DECIDED}
     AND e.xact >= $3::bigint AND (e.xact, e.id) > ($3::bigint, $4::uuid) AND e.id >= $5 AND e.id >= $8 AND e.id < $9
     AND ($6::text[] IS NULL OR e.type = ANY ($6)) AND ($7::text[] IS NULL OR e.object_type = ANY ($7))
   ORDER BY e.xact, e.id LIMIT $10`;

/** Events that all endpoints got: account, mode, id to continue below, highest and lowest id, type, rows, kinds of objects. */
export const SELECT_EVENTS_DELIVERED = eventsWith('=', `NOT ${IS_OWED}`);

/** Events that one endpoint did not get, or not yet. */
export const SELECT_EVENTS_OWED = eventsWith('<>', IS_OWED);

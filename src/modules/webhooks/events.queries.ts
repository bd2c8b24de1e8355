/** Columns of `events e` as `StoredEvent`. */
export const EVENT = `e.account_id AS "accountId", e.livemode, e.id, e.type, e.object_type AS "objectType", e.object_id AS "objectId", e.snapshot,
  e.request_id AS "requestId", e.idempotency_key AS "idempotencyKey", e.xact::text AS number`;

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
   WHERE ($6::text IS NULL OR e.type = $6) AND ($8::text[] IS NULL OR e.object_type = ANY ($8)) AND ${condition}
   ORDER BY e.id DESC LIMIT $7`;

/** Events that all endpoints got: account, mode, id to continue below, highest and lowest id, type, rows, kinds of objects. */
export const SELECT_EVENTS_DELIVERED = eventsWith('=', `NOT ${IS_OWED}`);

/** Events that one endpoint did not get, or not yet. */
export const SELECT_EVENTS_OWED = eventsWith('<>', IS_OWED);

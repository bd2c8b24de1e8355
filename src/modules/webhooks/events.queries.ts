/** Columns of `events e` as `StoredEvent`. */
export const EVENT = `e.account_id AS "accountId", e.livemode, e.id, e.type, e.object_type AS "objectType", e.object_id AS "objectId", e.snapshot,
  e.request_id AS "requestId", e.idempotency_key AS "idempotencyKey"`;

const ITS_DELIVERIES = 'FROM webhook_deliveries d WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id';

/** A delivery that did not succeed counts no more once its endpoint got the event by another one. */
const IS_OWED = `EXISTS (
  SELECT ${ITS_DELIVERIES} AND d.status <> 'delivered' AND NOT EXISTS (
    SELECT FROM webhook_deliveries s
     WHERE s.account_id = d.account_id AND s.livemode = d.livemode AND s.event_id = d.event_id AND s.endpoint_id = d.endpoint_id
       AND s.status = 'delivered'))`;

/** Newest first: account, mode, id to continue below, highest and lowest id, type, whether all endpoints got it, rows. */
export const SELECT_EVENTS_BY_SUCCESS = `
  SELECT ${EVENT} FROM events e
   WHERE e.account_id = $1 AND e.livemode = $2 AND e.id < $3 AND e.id < $4 AND e.id >= $5 AND ($6::text IS NULL OR e.type = $6)
     AND EXISTS (SELECT ${ITS_DELIVERIES}) AND $7 = NOT ${IS_OWED}
   ORDER BY e.id DESC LIMIT $8`;

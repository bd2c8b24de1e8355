import { EVENT } from './events.queries';

/**
 * What one endpoint may be sent again: account, mode, endpoint, lowest and highest id, types, which of them. Events that the
 * relay has yet to read are on their way and none of it.
 */
const REPLAYED = `
  FROM events e LEFT JOIN LATERAL (
    SELECT count(*) > 0 AS sent, bool_or(d.status = 'delivered') AS delivered, bool_or(d.next_attempt_at IS NOT NULL) AS tried
      FROM webhook_deliveries d
     WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.endpoint_id = $3
  ) d ON true
 WHERE e.account_id = $1 AND e.livemode = $2 AND e.id >= $4 AND e.id < $5 AND e.type = ANY($6::text[])
   AND e.xact < (SELECT xact FROM relay_position WHERE name = 'webhooks')
   AND CASE $7 WHEN 'all' THEN true WHEN 'missing' THEN NOT d.sent ELSE d.sent AND NOT d.delivered AND NOT d.tried END`;

export const COUNT_REPLAYED = `SELECT count(*)::int AS count ${REPLAYED}`;

/** Oldest first, at most `$8`. */
export const SELECT_REPLAYED = `SELECT ${EVENT} ${REPLAYED} ORDER BY e.id LIMIT $8`;

/** The oldest event that an endpoint was given up on: account, mode, endpoint, lowest id of its delivery, since when. */
export const SELECT_FIRST_MISSED = `
  SELECT event_id AS "eventId" FROM webhook_deliveries
   WHERE account_id = $1 AND livemode = $2 AND endpoint_id = $3 AND id >= $4 AND completed_at >= $5 AND status <> 'delivered'
   ORDER BY event_id LIMIT 1`;

/** An event that the relay passes over, as it stands before everything that the relay reads: account, mode, id, type, object, request, key, snapshot. */
export const INSERT_TEST_EVENT = `
  INSERT INTO events (account_id, livemode, id, type, object_type, object_id, request_id, idempotency_key, snapshot, xact)
  VALUES ($1, $2, $3, $4, 'whk', $5, $6, $7, $8::jsonb, 0)`;

/** What decides whether an endpoint is told of an event: account, mode, event, endpoint, transaction that made the endpoint. */
export const SELECT_EVENT_FOR_ENDPOINT = `
  SELECT type, (object_type = 'whk' AND object_id = $4) AS "isItself", xact < $5 AS "isBefore",
         xact < (SELECT xact FROM relay_position WHERE name = 'webhooks') AS "isRelayed",
         EXISTS (
           SELECT FROM webhook_deliveries d
            WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.endpoint_id = $4
         ) AS "isSent"
    FROM events e WHERE account_id = $1 AND livemode = $2 AND id = $3`;

/** Account, mode, endpoint, type of test events, idempotency key. */
export const SELECT_TEST_DELIVERY = `
  SELECT d.id FROM webhook_deliveries d JOIN events e USING (account_id, livemode)
   WHERE account_id = $1 AND livemode = $2 AND d.endpoint_id = $3 AND d.event_type = $4 AND e.id = d.event_id AND e.idempotency_key = $5
   ORDER BY d.id DESC LIMIT 1`;

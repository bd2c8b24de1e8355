/** Events of a transaction may carry a time from before it, and clocks differ. Only whole months are left out by it. */
const SLACK = `interval '1 day'`;

/** The first number of the epoch; what lies below was written on another server, or in another past. */
const BASE = `(r.epoch::bigint << 48)`;

/** Of `relay_position r`: below this number everything is decided. */
const HORIZON = `${BASE} + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Where the relay stands, and whether there may be something to do. Numbers come as text. */
export const LOOK = {
  name: 'relay_look',
  text: `
  SELECT r.xact, h.xact AS horizon, r.server = server_identity() AS "isHere",
         EXISTS (SELECT FROM webhook_endpoints WHERE deleted_at IS NULL) AS "hasEndpoints",
         EXISTS (SELECT FROM events e WHERE e.xact >= r.xact AND e.xact < h.xact AND e.id >= uuid_v7_floor(r.at - ${SLACK})) AS "hasEvents"
    FROM relay_position r CROSS JOIN LATERAL (SELECT ${HORIZON} AS xact) h WHERE r.name = 'webhooks'`,
};

/** Apart from what it guards: a statement sees the tables as they were when it began to wait, or to try. */
export const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('webhooks.relay')) AS "isMine"`;

export const POSITION = `
  SELECT r.xact, ${HORIZON} AS horizon, ${BASE} AS base, uuid_v7_floor(r.at - ${SLACK}) AS "lowestId" FROM relay_position r WHERE r.name = 'webhooks'`;

/** Transaction of the event behind the first `$4`. */
export const WINDOW_END = `
  SELECT xact FROM events WHERE xact >= $1 AND xact < $2 AND id >= $3 ORDER BY xact OFFSET $4 LIMIT 1`;

/** Of `events e` and `webhook_endpoints w`: an endpoint is not told of itself, nor of what was before it. */
const IS_FOR = `w.account_id = e.account_id AND w.livemode = e.livemode AND w.deleted_at IS NULL AND w.created_in <= e.xact
     AND NOT (e.object_type = 'whk' AND e.object_id = w.id)
     AND EXISTS (SELECT FROM unnest(w.events) p WHERE p = e.type OR (right(p, 1) = '*' AND starts_with(e.type, left(p, -1))))`;

const HAS_NO_DELIVERY = `NOT EXISTS (
       SELECT FROM webhook_deliveries d
        WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.endpoint_id = w.id AND NOT d.is_replay)`;

const matchesWhere = (condition: string): string => `
  SELECT e.account_id AS "accountId", e.livemode, e.id AS "eventId", e.type AS "eventType", w.id AS "endpointId", w.status, w.faults
    FROM events e JOIN webhook_endpoints w ON ${IS_FOR}
   WHERE e.xact >= $1 AND e.xact < $2 AND e.id >= $3 AND ${condition}
   ORDER BY e.xact, e.id`;

/** What an event of the window is sent to. */
export const MATCHES = matchesWhere('true');

/** The same of events from before this epoch: deliveries may have been copied at another moment than the position. */
export const MATCHES_ONCE = matchesWhere(HAS_NO_DELIVERY);

/**
 * The oldest event that an endpoint is to be told of and has no delivery yet. By time, not by number, so that a position that is
 * wrong is seen, too; what the relay has passed for good is looked for among the last minutes only.
 */
export const OLDEST_OWED = `
  SELECT min(e.id::text) AS id
    FROM relay_position r
    JOIN events e ON e.id >= uuid_v7_floor(least(r.at, now() - interval '2 minutes'))
    JOIN webhook_endpoints w ON ${IS_FOR}
   WHERE r.name = 'webhooks' AND ${HAS_NO_DELIVERY}`;

/** Later than a relay that works leaves an event, within the days that are looked at. */
const OWED_TOO_LONG = `e.id < uuid_v7_floor(now() - interval '15 minutes') AND e.id >= uuid_v7_floor(now() - interval '3 days')`;

/** Events that an endpoint was to be told of, listening then as it does now, and was not. */
export const OWED = `
  SELECT e.id AS event_id, e.type, w.id AS endpoint_id, e.xact, r.xact AS relay_position
    FROM events e JOIN webhook_endpoints w ON ${IS_FOR} CROSS JOIN relay_position r
   WHERE r.name = 'webhooks' AND ${OWED_TOO_LONG} AND e.id >= uuid_v7_floor(w.updated_at) AND ${HAS_NO_DELIVERY}`;

/** `$3`: whether everything up to now was read, so that what follows is not older than this moment. */
export const MOVE = `
  UPDATE relay_position SET xact = $2, at = CASE WHEN $3 THEN now() ELSE at END WHERE name = 'webhooks' AND xact = $1 RETURNING 1`;

/** Events of a transaction may carry a time from before it, and clocks differ. Only whole months are left out by it. */
const SLACK = `interval '1 day'`;

const HORIZON = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Where the relay stands, and whether there may be something to do. Numbers come as text. */
export const LOOK = {
  name: 'relay_look',
  text: `
  SELECT r.xact, h.xact AS horizon, EXISTS (SELECT FROM webhook_endpoints WHERE deleted_at IS NULL) AS "hasEndpoints",
         EXISTS (SELECT FROM events e WHERE e.xact >= r.xact AND e.xact < h.xact AND e.id >= uuid_v7_floor(r.at - ${SLACK})) AS "hasEvents"
    FROM relay_position r CROSS JOIN (SELECT ${HORIZON} AS xact) h WHERE r.name = 'webhooks'`,
};

/** Apart from what it guards: a statement sees the tables as they were when it began to wait, or to try. */
export const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('webhooks.relay')) AS "isMine"`;

export const POSITION = `
  SELECT r.xact, ${HORIZON} AS horizon, uuid_v7_floor(r.at - ${SLACK}) AS "lowestId" FROM relay_position r WHERE r.name = 'webhooks'`;

/** Transaction of the event behind the first `$4`. */
export const WINDOW_END = `
  SELECT xact FROM events WHERE xact >= $1 AND xact < $2 AND id >= $3 ORDER BY xact OFFSET $4 LIMIT 1`;

/** What an event of the window is sent to. An endpoint is not told of itself, nor of what was before it. */
export const MATCHES = `
  SELECT e.account_id AS "accountId", e.livemode, e.id AS "eventId", e.type AS "eventType", w.id AS "endpointId", w.status, w.faults
    FROM events e JOIN webhook_endpoints w ON w.account_id = e.account_id AND w.livemode = e.livemode
   WHERE e.xact >= $1 AND e.xact < $2 AND e.id >= $3 AND w.deleted_at IS NULL AND w.created_in <= e.xact
     AND NOT (e.object_type = 'whk' AND e.object_id = w.id)
     AND EXISTS (SELECT FROM unnest(w.events) p WHERE p = e.type OR (right(p, 1) = '*' AND starts_with(e.type, left(p, -1))))
   ORDER BY e.xact, e.id`;

/** `$3`: whether everything up to now was read, so that what follows is not older than this moment. */
export const MOVE = `
  UPDATE relay_position SET xact = $2, at = CASE WHEN $3 THEN now() ELSE at END WHERE name = 'webhooks' AND xact = $1 RETURNING 1`;

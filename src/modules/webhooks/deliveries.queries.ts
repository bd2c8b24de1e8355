import { unnested } from '../../core/database/array-param';

/** Longer than an attempt and the wait for PostgreSQL to come back may take: after it, whoever had the delivery must be gone. */
const LEASE = `interval '30 seconds'`;
/** Clocks of processes and of the database differ a little, and a job that comes too early would be lost until the sweeper. */
const EARLY = `interval '2 seconds'`;

const OFFSET = `coalesce(c.offset_ms, 0) * interval '1 millisecond'`;
const KEY = `d.account_id = v.account_id AND d.livemode = v.livemode AND d.id = v.id`;

/**
 * No name keeps PostgreSQL from keeping the plan: one that is made while a table, or its part of a new month, is small
 * goes through all rows of an account, and still does so when they are many.
 */
const PLANNED_ANEW = '';

/** Takes due deliveries, each for one worker, with all that their attempts need. Parameters: arrays of keys, and of attempts made. */
export const CLAIM = {
  name: PLANNED_ANEW,
  text: `
  WITH claimed AS (
    UPDATE webhook_deliveries d SET leased_until = now() + ${LEASE}
      FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid', attempts: 'integer' })} AS v
      LEFT JOIN test_clocks c ON c.account_id = v.account_id AND NOT v.livemode
     WHERE ${KEY} AND d.attempts = v.attempts AND d.status IN ('pending', 'retrying')
       AND (d.leased_until IS NULL OR d.leased_until <= now()) AND d.next_attempt_at <= now() + ${OFFSET} + ${EARLY}
    RETURNING d.account_id, d.livemode, d.id, d.endpoint_id, d.event_id, d.attempts, d.is_replay, d.leased_until::text AS lease,
              coalesce(c.offset_ms, 0) AS offset_ms
  )
  SELECT d.account_id AS "accountId", d.livemode, d.id, d.attempts, d.is_replay AS "isReplay", d.lease, d.offset_ms AS "offsetMs",
         w.id AS "endpointId", w.url, w.include_secrets AS "includeSecrets", w.secret, w.previous_secret AS "previousSecret",
         w.previous_until AS "previousUntil", w.status, w.deleted_at AS "deletedAt", w.in_flight_max AS "inFlightMax",
         w.per_second_max AS "perSecondMax", w.faults, w.failing_since AS "failingSince", w.last_success_at AS "lastSuccessAt",
         e.id AS "eventId", e.type, e.object_type AS "objectType", e.object_id AS "objectId", e.snapshot, e.request_id AS "requestId",
         e.idempotency_key AS "idempotencyKey", e.xact::text AS number
    FROM claimed d
    JOIN webhook_endpoints w ON w.account_id = d.account_id AND w.livemode = d.livemode AND w.id = d.endpoint_id
    CROSS JOIN LATERAL (
      -- With a limit of its own it is looked up by all of its key.
      SELECT * FROM events e WHERE e.account_id = d.account_id AND e.livemode = d.livemode AND e.id = d.event_id LIMIT 1
    ) e`,
};

const RECORDED = {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  lease: 'text',
  status: 'text',
  attempts: 'integer',
  next_attempt_at: 'timestamptz',
  last_code: 'text',
  completed_at: 'timestamptz',
  attempt_id: 'uuid',
  url: 'text',
  http_status: 'integer',
  duration_ms: 'integer',
  response_body: 'text',
} as const;

/**
 * Attempts that were made, and the new state of their deliveries, unless their lease ended and somebody else took them; the
 * same again changes nothing. Parameters: an array per column.
 */
export const RECORD = {
  name: PLANNED_ANEW,
  text: `
  WITH v AS ${unnested(RECORDED)}, attempted AS (
    INSERT INTO webhook_attempts (account_id, livemode, id, delivery_id, number, url, code, http_status, duration_ms, response_body)
    SELECT account_id, livemode, attempt_id, id, attempts, url, last_code, http_status, duration_ms, response_body FROM v WHERE attempt_id IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  UPDATE webhook_deliveries d
     SET status = v.status, attempts = v.attempts, next_attempt_at = v.next_attempt_at, last_code = coalesce(v.last_code, d.last_code),
         completed_at = v.completed_at, leased_until = NULL
    FROM v WHERE ${KEY} AND d.leased_until = v.lease::timestamptz
  RETURNING d.id`,
};

const DUE = `
  d.account_id AS "accountId", d.livemode, d.id, d.endpoint_id AS "endpointId", d.attempts, d.next_attempt_at AS "nextAttemptAt"`;
const IS_FREE = '(d.leased_until IS NULL OR d.leased_until <= now())';

/** Deliveries that are due by the real time, behind the position `($1, $2)`; `$3`: at most so many. */
export const SELECT_DUE = `
  SELECT ${DUE} FROM webhook_deliveries d
   WHERE (d.next_attempt_at, d.id) > ($1::timestamptz, $2::uuid) AND d.next_attempt_at <= now() AND ${IS_FREE}
   ORDER BY d.next_attempt_at, d.id LIMIT $3`;

/** Deliveries that are due only by the test clock of their account; `$1`: of this account, or of all; `$2`: at most so many. */
export const SELECT_DUE_IN_TEST = `
  SELECT d.*, c.offset_ms AS "aheadMs" FROM test_clocks c
   CROSS JOIN LATERAL (
     SELECT ${DUE} FROM webhook_deliveries d
      WHERE d.account_id = c.account_id AND NOT d.livemode AND d.next_attempt_at <= now() + ${OFFSET} AND ${IS_FREE}
        AND ($1::uuid IS NOT NULL OR d.next_attempt_at > now())
      ORDER BY d.next_attempt_at LIMIT $2) d
   WHERE c.offset_ms > 0 AND ($1::uuid IS NULL OR c.account_id = $1) LIMIT $2`;

/** How many wait, and how long the first of them does. */
export const LAG = `SELECT min(next_attempt_at) AS first FROM webhook_deliveries WHERE next_attempt_at <= now()`;

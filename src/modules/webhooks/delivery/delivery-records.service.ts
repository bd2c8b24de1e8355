import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Key } from '../../../core/http/caller';
import { isFenced } from '../../../core/cells/slot-moves';
import { Env } from '../../../core/config/env';
import { arrayParam, type ColumnType, type ColumnTypes, unnested } from '../../../core/database/bulk';
import { Batcher } from '../../../core/database/batcher';
import { clientConfig } from '../../../core/database/options';
import { Pipeline } from '../../../core/database/pipeline';
import { isMoving, retryAway, retryTransient, UnitOfWork } from '../../../core/database/unit-of-work';
import { newIdOf } from '../../../core/http/ids';
import type { StoredEvent } from '../../../core/outbox/event-log';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { CLOCK_OFFSET, type DeliveryJob, DeliveryQueue, type DueDelivery, IS_FREE } from './delivery-queue.service';
import { EndpointHealth } from './endpoint-health.service';
import { type Outcome, outcomeOf } from './outcome';
import type { Attempted } from './webhook-sender.service';

/**
 * Longer than an attempt and the wait for PostgreSQL to come back may take: after it, whoever had the delivery must be
 * gone.
 */
const LEASE = `interval '30 seconds'`;
/** Clocks of processes and of the database differ a little: what somebody was woken up for would wait for the sweep. */
const EARLY = `interval '1 second'`;

const KEY = `d.account_id = v.account_id AND d.livemode = v.livemode AND d.id = v.id`;

/**
 * A plan that is made while a table, or its part of a new month, is small goes through all rows of an account, and
 * would still do so when they are many. To make it takes longer than to take a few deliveries.
 */
const PLANS_MS = 1_000;

/** A moment that a `Date` holds. */
const IN_MS = `date_trunc('milliseconds', now())`;

const WANTED = {
  account_id: 'uuid',
  livemode: 'boolean',
  endpoint_id: 'uuid',
  places: 'integer',
  since: 'timestamptz',
} as const;

/**
 * Takes deliveries of endpoints that are due, the oldest first and each for one worker, with all that their attempts
 * need. Parameters: arrays of endpoints, of how many, and of when the first of them is due: where many were delivered
 * and a snapshot from before is still open, to look at all of those again would take its time.
 */
const CLAIM = {
  name: 'deliveries_claim',
  text: `
  -- Materialized: a plan that looks again for each row would lock more than it may.
  WITH due AS MATERIALIZED (
    SELECT v.account_id, v.livemode, d.id, coalesce(c.offset_ms, 0) AS offset_ms
      FROM ${unnested(WANTED)} AS v
      LEFT JOIN test_clocks c ON c.account_id = v.account_id AND NOT v.livemode
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
         WHERE d.account_id = v.account_id AND d.livemode = v.livemode AND d.endpoint_id = v.endpoint_id
           AND d.next_attempt_at >= v.since AND d.next_attempt_at <= now() + ${CLOCK_OFFSET} + ${EARLY} AND ${IS_FREE}
         ORDER BY d.next_attempt_at LIMIT v.places FOR UPDATE SKIP LOCKED) d
     WHERE NOT ${isFenced('v.account_id')}
  ), claimed AS (
    UPDATE webhook_deliveries d SET leased_until = ${IN_MS} + ${LEASE} FROM due v WHERE ${KEY}
    RETURNING d.account_id, d.livemode, d.id, d.endpoint_id, d.event_id, d.attempts, d.is_replay, d.next_attempt_at,
              d.leased_until AS lease, ${IN_MS} AS claimed_at, v.offset_ms
  )
  SELECT d.account_id AS "accountId", d.livemode, d.id, d.attempts, d.is_replay AS "isReplay", d.lease,
         d.claimed_at AS "claimedAt", d.next_attempt_at AS "dueAt", d.offset_ms AS "offsetMs", w.id AS "endpointId",
         w.url,
         w.include_secrets AS "includeSecrets", w.secret,
         w.previous_secret AS "previousSecret", w.previous_until AS "previousUntil", w.status,
         w.deleted_at AS "deletedAt", w.in_flight_max AS "inFlightMax", w.per_second_max AS "perSecondMax", w.faults,
         w.failing_since AS "failingSince", w.last_success_at AS "lastSuccessAt", w.headers, w.is_down AS "isDown",
         w.updated_at AS "updatedAt",
         e.id AS "eventId", e.type,
         e.object_type AS "objectType", e.object_id AS "objectId", e.snapshot, e.request_id AS "requestId",
         e.idempotency_key AS "idempotencyKey", e.xact::text AS number
    FROM claimed d
    JOIN webhook_endpoints w ON w.account_id = d.account_id AND w.livemode = d.livemode AND w.id = d.endpoint_id
    CROSS JOIN LATERAL (
      -- With a limit of its own it is looked up by all of its key.
      SELECT * FROM events e WHERE e.account_id = d.account_id AND e.livemode = d.livemode AND e.id = d.event_id LIMIT 1
    ) e
   ORDER BY d.next_attempt_at, d.id`,
};

const RECORDED = {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  lease: 'timestamptz',
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
  endpoint_id: 'uuid',
  request_headers: 'jsonb',
  response_headers: 'jsonb',
} as const;

/**
 * Attempts that were made, and the new state of their deliveries, unless their lease ended and somebody else took them;
 * the same again changes nothing. Parameters: an array per column.
 */
const RECORD = {
  name: 'deliveries_record',
  text: `
  WITH v AS ${unnested(RECORDED)}, attempted AS (
    INSERT INTO webhook_attempts
      (account_id, livemode, id, delivery_id, number, url, code, http_status, duration_ms, response_body, endpoint_id,
       request_headers, response_headers)
    SELECT account_id, livemode, attempt_id, id, attempts, url, last_code, http_status, duration_ms, response_body,
           endpoint_id, request_headers, response_headers
      FROM v WHERE attempt_id IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  UPDATE webhook_deliveries d
     SET status = v.status, attempts = v.attempts, next_attempt_at = v.next_attempt_at,
         last_code = coalesce(v.last_code, d.last_code),
         last_http_status = CASE WHEN v.last_code IS NULL THEN d.last_http_status ELSE v.http_status END,
         completed_at = v.completed_at, leased_until = NULL
    FROM v WHERE ${KEY} AND d.leased_until = v.lease
  RETURNING d.id`,
};

/** Runs that take deliveries at the same time share a statement, and so do attempts that end at the same time. */
const BATCHES = {
  batchMax: 100,
  parallel: 2,
  queueMax: Infinity,
  overflow: () => new Error('too many deliveries at once'),
};

type EndpointFields =
  | 'url'
  | 'includeSecrets'
  | 'secret'
  | 'previousSecret'
  | 'previousUntil'
  | 'status'
  | 'deletedAt'
  | 'inFlightMax'
  | 'perSecondMax'
  | 'faults'
  | 'failingSince'
  | 'lastSuccessAt'
  | 'headers'
  | 'isDown'
  | 'updatedAt';
type EventFields = 'type' | 'objectType' | 'objectId' | 'snapshot' | 'requestId' | 'idempotencyKey' | 'number';

/** A delivery that belongs to this worker until its lease ends, with its endpoint and its event as they are now. */
export interface Claimed extends Key, Pick<WebhookEndpoint, EndpointFields>, Pick<StoredEvent, EventFields> {
  readonly endpointId: string;
  readonly eventId: string;
  /** Attempts that were made before. */
  readonly attempts: number;
  readonly isReplay: boolean;
  /** When it was due, by the clock of the account. */
  readonly dueAt: Date;
  /** Tells this claim from a later one. */
  readonly lease: Date;
  /** By the clock of the database. */
  readonly claimedAt: Date;
  /** How far the clock of the account is ahead. */
  readonly offsetMs: string;
}

/** What of an endpoint is wanted. */
export interface Wanted extends DeliveryJob {
  /** So many at most. */
  readonly places: number;
  /** Nothing that was due before. */
  readonly since: Date;
}

/** What came of a claimed delivery. */
interface Result extends Outcome {
  readonly claimed: Claimed;
  /** Null: none was made, as the endpoint is disabled or deleted. */
  readonly attempted: Attempted | null;
  /** The account's present. */
  readonly at: Date;
}

/** The same attempt has one id, however often it is written. */
interface Numbered extends Result {
  readonly attemptId: string | null;
}

/** Takes deliveries, so that two workers never make the same attempt, and writes what came of their attempts. */
@Injectable()
export class DeliveryRecords implements OnApplicationShutdown {
  /** Connections of their own: no round trip for a transaction of one statement, and no waiting for the pool. */
  private readonly claiming: Pipeline;
  private readonly recording: Pipeline;
  private readonly claims = new Batcher<Wanted, Claimed[]>((wanted) => this.take(wanted), { ...BATCHES, parallel: 1 });
  private readonly results = new Batcher<Result, void>((results) => this.write(results), BATCHES);

  constructor(
    env: Env,
    private readonly uow: UnitOfWork,
    private readonly health: EndpointHealth,
    private readonly queue: DeliveryQueue,
  ) {
    const config = clientConfig(env);
    // A crash of PostgreSQL may take the last claims back: at worst, what was posted since then comes again.
    this.claiming = new Pipeline({ ...config, options: `${config.options} -c synchronous_commit=off` }, PLANS_MS);
    this.recording = new Pipeline(config, PLANS_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.claiming.end(), this.recording.end()]);
  }

  /** The oldest first; fewer than are wanted: there are no more that nobody else has. */
  claim(wanted: Wanted): Promise<Claimed[]> {
    return this.claims.add(wanted);
  }

  /** With the next attempt, when there is to be one. */
  record(result: Result): Promise<void> {
    return this.results.add(result);
  }

  private async take(wanted: readonly Wanted[]): Promise<Claimed[][]> {
    // One statement would give the same to two of one endpoint: one of them has what there is.
    const last = new Map(wanted.map(({ endpointId }, i) => [endpointId, i]));
    const column = columnsOf(wanted.filter(({ endpointId }, i) => last.get(endpointId) === i));
    const params = [
      column('uuid', ({ accountId }) => accountId),
      column('boolean', ({ livemode }) => livemode),
      column('uuid', ({ endpointId }) => endpointId),
      column('integer', ({ places }) => places),
      column('timestamptz', ({ since }) => since),
    ];
    const { rows } = await retryTransient(() => this.claiming.query<Claimed & Record<string, unknown>>(CLAIM, params));
    const claimed = Map.groupBy(rows, ({ endpointId }) => endpointId);
    return wanted.map(({ endpointId }, i) => (last.get(endpointId) === i ? (claimed.get(endpointId) ?? []) : []));
  }

  /** Of accounts that move it is refused: then each alone. What is not written comes again, from the other cell. */
  private async write(results: readonly Result[]): Promise<(undefined | Error)[]> {
    try {
      return await this.writeAll(results);
    } catch (error) {
      if (!isMoving(error)) throw error;
      if (results.length === 1) return [error as Error];
      return (await Promise.all(results.map((result) => this.write([result])))).flat();
    }
  }

  private async writeAll(results: readonly Result[]): Promise<undefined[]> {
    const sorted = results.map(numbered).sort((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1));
    const changing = sorted.filter((result) => this.health.isChanging(result));
    // What was posted would come again if it were lost now: it is written once PostgreSQL is back, and not twice.
    const waiting = await retryAway(() =>
      changing.length === 0 ? this.writeAlone(sorted) : this.writeWithHealth(sorted, changing),
    );
    await this.queue.enqueue(waiting);
    return results.map(() => undefined);
  }

  /** Mostly there is nothing to learn about the endpoints. */
  private async writeAlone(results: readonly Numbered[]): Promise<DueDelivery[]> {
    const params = paramsOf(results);
    const { rows } = await retryTransient(() => this.recording.query<{ id: string }>(RECORD, params));
    return waitingOf(results, rows);
  }

  private writeWithHealth(sorted: readonly Numbered[], changing: readonly Numbered[]): Promise<DueDelivery[]> {
    return this.uow.run(async (tx) => {
      const late = await this.health.late(tx, changing);
      const results = sorted.map((result) => (late.get(result)?.isOn ? unheard(result) : result));
      const [rows]: [{ id: string }[], number] = await tx.query(RECORD.text, paramsOf(results));
      await this.health.record(
        tx,
        changing.filter((result) => !late.has(result)),
      );
      return waitingOf(results, rows);
    });
  }
}

const numbered = (result: Result): Numbered => ({
  ...result,
  attemptId: result.attempted === null ? null : newIdOf(result.claimed.accountId),
});

/** Refused by an endpoint as it was: as it is now, it is asked again. */
const unheard = (result: Numbered): Numbered => ({
  ...result,
  ...outcomeOf(result.attempted!, result.claimed.attempts + 1, result.at, false),
});

/** Of those that were written, the ones with a next attempt. */
function waitingOf(results: readonly Numbered[], written: readonly { readonly id: string }[]): DueDelivery[] {
  const ids = new Set(written.map(({ id }) => id));
  return results.flatMap(({ claimed: { accountId, livemode, id, endpointId }, nextAttemptAt }) =>
    nextAttemptAt === null || !ids.has(id) ? [] : { accountId, livemode, id, endpointId, nextAttemptAt },
  );
}

/** In the order of `RECORDED`. */
function paramsOf(results: readonly Numbered[]): Buffer[] {
  const column = columnsOf(results);
  return [
    column('uuid', ({ claimed }) => claimed.accountId),
    column('boolean', ({ claimed }) => claimed.livemode),
    column('uuid', ({ claimed }) => claimed.id),
    column('timestamptz', ({ claimed }) => claimed.lease),
    column('text', ({ status }) => status),
    column('integer', ({ claimed, attempted }) => claimed.attempts + (attempted === null ? 0 : 1)),
    column('timestamptz', ({ nextAttemptAt }) => nextAttemptAt),
    column('text', ({ attempted }) => attempted?.code),
    column('timestamptz', ({ nextAttemptAt }) => (nextAttemptAt === null ? new Date() : null)),
    column('uuid', ({ attemptId }) => attemptId),
    column('text', ({ claimed }) => claimed.url),
    column('integer', ({ attempted }) => attempted?.httpStatus),
    column('integer', ({ attempted }) => attempted?.durationMs),
    column('text', ({ attempted }) => attempted?.responseBody),
    column('uuid', ({ claimed }) => claimed.endpointId),
    column('jsonb', ({ attempted }) => attempted?.requestHeaders),
    column('jsonb', ({ attempted }) => attempted?.responseHeaders),
  ];
}

/** Makes parameters of rows, one for each column. */
const columnsOf =
  <Row>(rows: readonly Row[]) =>
  <T extends ColumnType>(type: T, valueOf: (row: Row) => ColumnTypes[T] | null | undefined): Buffer =>
    arrayParam(type, rows.map(valueOf));

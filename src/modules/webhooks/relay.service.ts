import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Env } from '../../core/config/env';
import { MetricReads } from '../../core/database/metric-reads';
import { lockName } from '../../core/database/options';
import { ReadPipeline } from '../../core/database/pipeline';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { timeOf } from '../../core/http/ids';
import { sample, sampledGauges } from '../../core/metrics/metrics';
import { EventLog, LATE_MAX_DAYS } from '../../core/outbox/event-log';
import { type EventType, OWN_EVENT_TYPES, SECRET_EVENT_TYPES } from '../../vocabulary/event-types';
import type { EndpointStatus, WebhookFault } from './endpoints/webhook-endpoint.entity';
import { DeliveryQueue, type DueDelivery, type Planned } from './delivery/delivery-queue.service';

/** Only whole months are left out by it. */
const SLACK = `interval '${LATE_MAX_DAYS} days'`;

/** Of `relay_position r`: below this number everything is decided. */
const HORIZON = `r.base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Where the relay stands, and whether there may be something to do. Numbers come as text. */
const LOOK = {
  name: 'relay_look',
  text: `
  SELECT r.xact, h.xact AS horizon, r.server = server_identity() AS "isHere",
         EXISTS (SELECT 1 FROM webhook_endpoints WHERE deleted_at IS NULL) AS "hasEndpoints",
         EXISTS (
           SELECT 1 FROM events e
            WHERE e.xact >= r.xact AND e.xact < h.xact AND e.id >= uuid_v7_floor(r.at - ${SLACK})
         ) AS "hasEvents"
    FROM relay_position r CROSS JOIN LATERAL (SELECT ${HORIZON} AS xact) h WHERE r.name = 'webhooks'`,
};

/** Apart from what it guards: a statement sees the tables as they were when it began to wait, or to try. */
const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(hashtext(${lockName('webhooks.relay')})) AS "isMine"`;
const LOCK = `SELECT pg_advisory_xact_lock(hashtext(${lockName('webhooks.relay')}))`;

const POSITION = `
  SELECT r.xact, ${HORIZON} AS horizon, r.first, uuid_v7_floor(r.at - ${SLACK}) AS "lowestId",
         r.server = server_identity() AS "isHere"
    FROM relay_position r WHERE r.name = 'webhooks'`;

/** Transaction of the event behind the first `$4`. */
const WINDOW_END = `
  SELECT xact FROM events WHERE xact >= $1 AND xact < $2 AND id >= $3 ORDER BY xact OFFSET $4 LIMIT 1`;

const listed = (types: readonly EventType[]): string => types.map((type) => `'${type}'`).join(', ');

/**
 * Of `events e` and `webhook_endpoints w`: an endpoint is told little of itself, and nothing of what was before it.
 */
export const IS_FOR = `w.account_id = e.account_id AND w.livemode = e.livemode AND w.deleted_at IS NULL
     AND w.created_in <= e.xact AND (w.include_secrets OR e.type NOT IN (${listed(SECRET_EVENT_TYPES)}))
     AND NOT (e.object_type = 'whk' AND e.object_id = w.id AND e.type NOT IN (${listed(OWN_EVENT_TYPES)}))
     AND EXISTS (
       SELECT 1 FROM unnest(w.events) p WHERE p = e.type OR (right(p, 1) = '*' AND starts_with(e.type, left(p, -1))))`;

export const HAS_NO_DELIVERY = `NOT EXISTS (
       SELECT 1 FROM webhook_deliveries d
        WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id
          AND d.endpoint_id = w.id AND NOT d.is_replay)`;

/** Of `events e`. */
const IN_WINDOW = 'e.xact >= $1 AND e.xact < $2 AND e.id >= $3';

const matchesOf = (events: string, condition: string): string => `
  SELECT e.account_id AS "accountId", e.livemode, e.id AS "eventId", e.type AS "eventType", w.id AS "endpointId",
         w.status, w.faults
    FROM ${events} e JOIN webhook_endpoints w ON ${IS_FOR}
   WHERE ${condition}
   ORDER BY e.xact, e.id`;

/** Read first: a plan that begins with the endpoints reads all that their accounts were ever told of. */
const WINDOW = `
  WITH fresh AS MATERIALIZED (
    SELECT account_id, livemode, id, type, object_type, object_id, xact FROM events e WHERE ${IN_WINDOW})`;

/** What an event of the window is sent to. */
const MATCHES = WINDOW + matchesOf('fresh', 'true');

/** The same of events from before this epoch: deliveries may have been copied at another moment than the position. */
const MATCHES_ONCE = WINDOW + matchesOf('fresh', HAS_NO_DELIVERY);

/** The same of accounts `$4`. */
const MISSED = matchesOf('events', `${IN_WINDOW} AND e.account_id = ANY ($4) AND ${HAS_NO_DELIVERY}`);

/** `$3`: whether everything up to now was read, so that what follows is not older than this moment. */
const MOVE = `
  UPDATE relay_position SET xact = $2, at = CASE WHEN $3 THEN now() ELSE at END
   WHERE name = 'webhooks' AND xact = $1 RETURNING 1`;

/**
 * The oldest event that an endpoint is to be told of and has no delivery yet. By time, not by number, so that a wrong
 * position is seen, too; what the relay has passed for good is looked for among the last minutes only, and not of
 * endpoints that listen to other things since.
 */
const OWED = `
  SELECT min(e.id::text) AS id, count(DISTINCT e.id)::integer AS events
    FROM relay_position r
    JOIN events e ON e.id >= uuid_v7_floor(least(r.at, now() - interval '2 minutes'))
    JOIN webhook_endpoints w ON ${IS_FOR}
   WHERE r.name = 'webhooks' AND (e.xact >= r.xact OR e.id >= uuid_v7_floor(w.updated_at)) AND ${HAS_NO_DELIVERY}`;

const provideLag = sampledGauges({
  webhook_relay_lag_seconds: {
    help: 'Age of the oldest event that an endpoint is to be told of and that has no delivery yet.',
  },
  webhook_relay_waiting_events: { help: 'Events that an endpoint is to be told of and that have no delivery yet.' },
});

/** NOTIFY would save every worker to look twenty times a second, at the cost of transactions that move money. */
const POLL_MS = 50;
/** Events of one transaction of the relay, but for those of the last one, which come whole. */
const WINDOW_EVENTS = 500;
/** Transactions without anything to send that are passed over in one go; to note each would cost a commit each. */
const GAP = 1_000n;

interface Look {
  readonly xact: string;
  readonly horizon: string;
  /** Whether the numbers are those of this server. */
  readonly isHere: boolean;
  readonly hasEndpoints: boolean;
  readonly hasEvents: boolean;
}

interface Position {
  readonly xact: string;
  readonly horizon: string;
  /** Number of the epoch; what lies below was written on another server, or in another past. */
  readonly first: string;
  readonly lowestId: string;
  readonly isHere: boolean;
}

interface Match {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly endpointId: string;
  readonly status: EndpointStatus;
  readonly faults: WebhookFault | null;
}

/** What is sent from here on, and whether another window follows. */
interface Step {
  readonly due: readonly DueDelivery[];
  readonly isMore: boolean;
}

/**
 * Turns events into deliveries, in every process with workers. It reads by the number of their transaction, up to the
 * oldest one that is still open: below it everything is decided, so a transaction that commits late is not passed over.
 * One relay works at a time.
 */
@Injectable()
export class Relay implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  private readonly stopping = new AbortController();
  private loop: Promise<void> | null = null;

  constructor(
    private readonly env: Env,
    private readonly reads: ReadPipeline,
    private readonly uow: UnitOfWork,
    private readonly events: EventLog,
    private readonly queue: DeliveryQueue,
    private readonly metrics: MetricReads,
  ) {}

  onModuleInit(): void {
    provideLag(async () => {
      const { id, events } = await this.metrics.row<{ id: string | null; events: number }>(OWED);
      return {
        webhook_relay_lag_seconds: sample(id === null ? 0 : Math.max(0, Date.now() - timeOf(id).getTime()) / 1_000),
        webhook_relay_waiting_events: sample(events),
      };
    });
  }

  onApplicationBootstrap(): void {
    if (this.env.WORKER_IN_API) this.loop = this.keep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.relayNow(signal);
      } catch (error) {
        if (!signal.aborted) this.log.warn({ message: 'events could not be relayed; they will be', err: error });
      }
      await sleep(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** All that was decided until now, unless another relay is at it. */
  async relayNow(signal?: AbortSignal): Promise<void> {
    const { rows } = await this.reads.query<Look & Record<string, unknown>>(LOOK, []);
    const look = rows[0]!;
    if (!look.isHere) await this.events.renewEpoch();
    else if (look.hasEndpoints && look.hasEvents) while ((await this.relayWindow()) && signal?.aborted !== true);
    else if (BigInt(look.horizon) - BigInt(look.xact) > GAP) await this.uow.run((tx) => this.pass(tx, look));
  }

  /**
   * While accounts were moving, deliveries of theirs were not written. They stay: of what was read from this number on,
   * what is missing is made. The sweep has it sent.
   */
  async makeUp(accountIds: readonly string[], from: string): Promise<void> {
    await this.uow.run(async (tx) => {
      await tx.query(LOCK);
      const [{ xact, lowestId }] = (await tx.query(POSITION)) as [Position];
      const missed: Match[] = await tx.query(MISSED, [from, xact, lowestId, accountIds]);
      await this.queue.plan(tx, missed.map(plannedOf));
    });
  }

  private async relayWindow(): Promise<boolean> {
    const { due, isMore } = await this.uow.run((tx) => this.advance(tx));
    await this.queue.enqueue(due);
    return isMore;
  }

  private async advance(tx: Tx): Promise<Step> {
    const position = await this.lock(tx);
    if (position === null) return { due: [], isMore: false };
    const { xact, horizon, first, lowestId } = position;
    const [next]: { xact: string }[] = await tx.query(WINDOW_END, [xact, horizon, lowestId, WINDOW_EVENTS]);
    const end = next === undefined ? horizon : next.xact === xact ? String(BigInt(xact) + 1n) : next.xact;
    const matches: Match[] = await tx.query(BigInt(xact) <= BigInt(first) ? MATCHES_ONCE : MATCHES, [
      xact,
      end,
      lowestId,
    ]);
    const due = await this.queue.plan(tx, matches.map(plannedOf));
    await this.move(tx, xact, { to: end, isAll: next === undefined });
    return { due, isMore: next !== undefined };
  }

  /** Passes over what has nothing for anybody: only to where that was seen, as an endpoint may be made meanwhile. */
  private async pass(tx: Tx, { xact, horizon }: Look): Promise<void> {
    const position = await this.lock(tx);
    if (position?.xact === xact) await this.move(tx, xact, { to: horizon, isAll: true });
  }

  /** Null: another one is at it, or the server has become another one since it was looked at. */
  private async lock(tx: Tx): Promise<Position | null> {
    const [{ isMine }] = (await tx.query(TRY_LOCK)) as [{ isMine: boolean }];
    if (!isMine) return null;
    const [position] = (await tx.query(POSITION)) as [Position];
    return position.isHere ? position : null;
  }

  private async move(tx: Tx, from: string, { to, isAll }: { to: string; isAll: boolean }): Promise<void> {
    const [moved]: [unknown[], number] = await tx.query(MOVE, [from, to, isAll]);
    if (moved.length === 0) throw new Error('two relays worked at a time');
  }
}

const plannedOf = ({ accountId, livemode, eventId, eventType, endpointId, status, faults }: Match): Planned => ({
  endpoint: { accountId, livemode, id: endpointId, faults },
  event: { id: eventId, type: eventType },
  isReplay: false,
  status: status === 'enabled' ? 'pending' : 'disabled',
});

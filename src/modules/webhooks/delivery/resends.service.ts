import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../core/errors/domain-error';
import { Clock } from '../../../core/clock/clock';
import type { Tx } from '../../../core/database/unit-of-work';
import type { Caller } from '../../../core/http/caller';
import { lowestIdAt, newIdOf, timeOf } from '../../../core/http/ids';
import type { Claim, Replay, ReplayedBy, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { StoredEvent } from '../../../core/outbox/event-log';
import { DeliveriesService } from '../deliveries.service';
import { claimOf, EndpointsService } from '../endpoints.service';
import { endpointSnapshot } from '../endpoints/endpoint.dto';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { isToldOf, listensTo, TEST_EVENT, typesOf } from '../events/event-patterns';
import { EVENT } from '../events/events.service';
import { DeliveryQueue, type DueDelivery, type Planned } from './delivery-queue.service';
import type { AttemptedDelivery, MissedEvents, ReplayRange } from './delivery.dto';

class ReplayTooLarge extends DomainError {
  constructor(max: number) {
    super({
      code: 'replay_too_large',
      kind: 'unprocessable',
      title: 'Replay too large',
      detail: `One replay sends at most ${max} events: ask for a shorter time or fewer types.`,
      param: '/created_lt',
    });
  }
}

/**
 * What one endpoint may be sent again: account, mode, endpoint, lowest and highest id, types, which of them. Events
 * that the relay has yet to read are on their way and none of it.
 */
const REPLAYED = `
  FROM events e LEFT JOIN LATERAL (
    SELECT count(*) > 0 AS sent, bool_or(d.status = 'delivered') AS delivered,
           bool_or(d.next_attempt_at IS NOT NULL) AS tried
      FROM webhook_deliveries d
     WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.endpoint_id = $3
  ) d ON true
 WHERE e.account_id = $1 AND e.livemode = $2 AND e.id >= $4 AND e.id < $5 AND e.type = ANY($6::text[])
   AND e.xact < (SELECT xact FROM relay_position WHERE name = 'webhooks')
   AND CASE $7 WHEN 'all' THEN true WHEN 'missing' THEN NOT d.sent ELSE d.sent AND NOT d.delivered AND NOT d.tried END`;

const COUNT_REPLAYED = `SELECT count(*)::int AS count ${REPLAYED}`;

/** Oldest first, at most `$8`. */
const SELECT_REPLAYED = `SELECT ${EVENT} ${REPLAYED} ORDER BY e.id LIMIT $8`;

/** The oldest event that was given up on: account, mode, endpoint, lowest id of its delivery, since when. */
const SELECT_FIRST_MISSED = `
  SELECT event_id AS "eventId" FROM webhook_deliveries
   WHERE account_id = $1 AND livemode = $2 AND endpoint_id = $3 AND id >= $4 AND completed_at >= $5
     AND status <> 'delivered'
   ORDER BY event_id LIMIT 1`;

/**
 * An event that the relay passes over, as it stands before everything that the relay reads: account, mode, id, type,
 * object, request, key, snapshot.
 */
const INSERT_TEST_EVENT = `
  INSERT INTO events
    (account_id, livemode, id, type, object_type, object_id, request_id, idempotency_key, snapshot, xact)
  VALUES ($1, $2, $3, $4, 'whk', $5, $6, $7, $8::jsonb, 0)`;

/** What one transaction writes within its time. */
const EVENTS_MAX = 10_000;
/** No delivery is tried for longer. */
const TRIED_MS = 5 * 24 * 3_600_000;

/** Which events are sent. */
type Choose = (tx: Tx, endpoint: WebhookEndpoint) => Promise<readonly Pick<Planned, 'id' | 'event'>[]>;

/** Deliveries that were made now; none when the request was carried out before. */
interface Sent {
  readonly due: readonly DueDelivery[];
  readonly replay: Replay | null;
}

/** A delivery that was asked for, and whether its request was carried out before. */
interface ResendResult extends AttemptedDelivery {
  readonly replayedBy: ReplayedBy | null;
}

/** `count` is null for a repeated request. */
interface ReplayResult {
  readonly count: number | null;
  readonly replayedBy: ReplayedBy | null;
}

/** Sends events to one endpoint because somebody asks for it, also to a disabled one. */
@Injectable()
export class ResendsService {
  constructor(
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly deliveries: DeliveriesService,
    private readonly endpoints: EndpointsService,
    private readonly idempotency: Idempotency,
    private readonly queue: DeliveryQueue,
  ) {}

  /** Posts an event about the endpoint itself. Throws `NotFound`, `InvalidEndpointUrl`. */
  async test(caller: Caller, id: string | null, request: RequestClaim): Promise<ResendResult> {
    const claim = claimOf(caller, id, request);
    const endpointId = claim.resourceId;
    await this.endpoints.checkUrl(caller, claim);
    const sent = await this.send(caller, endpointId, claim, async (tx, endpoint) => {
      const { accountId, livemode } = endpoint;
      const event = { id: newIdOf(accountId), type: TEST_EVENT } as const;
      await tx.query(INSERT_TEST_EVENT, [
        accountId,
        livemode,
        event.id,
        event.type,
        endpointId,
        caller.requestId,
        request.key,
        JSON.stringify(endpointSnapshot(endpoint)),
      ]);
      return [{ event }];
    });
    return this.resultOf(caller, sent, () => this.deliveries.findTest(caller, endpointId, request.key));
  }

  /** A delivery of its own: the one that is repeated stays as it is. Throws `NotFound`. */
  async retry(caller: Caller, id: string | null, request: RequestClaim): Promise<ResendResult> {
    const {
      delivery: { endpointId, eventId, eventType },
    } = await this.deliveries.require(caller, id);
    const made = newIdOf(caller.accountId);
    const claim = { ...claimOf(caller, made, request), resource: 'dlv' } as const;
    const event = { id: eventId, type: eventType };
    const sent = await this.send(caller, endpointId, claim, () => Promise.resolve([{ id: made, event }]));
    return this.resultOf(caller, sent, ({ resourceId }) => resourceId);
  }

  /** How many events a replay would send. Throws `NotFound`. */
  async previewReplay(caller: Caller, id: string | null, range: ReplayRange): Promise<number> {
    return this.count(await this.endpoints.require(caller, id), await this.real(caller, range));
  }

  /**
   * Sends events again that an endpoint got, failed to get or never could. Throws `NotFound`, `ReplayTooLarge`,
   * `IdempotencyKeyReused`.
   */
  async replay(caller: Caller, id: string | null, asked: ReplayRange, request: RequestClaim): Promise<ReplayResult> {
    const range = await this.real(caller, asked);
    const claim = claimOf(caller, id, request);
    const { due, replay } = await this.send(caller, claim.resourceId, claim, async (tx, endpoint) => {
      const events: StoredEvent[] = await tx.query(SELECT_REPLAYED, [...boundsOf(endpoint, range), EVENTS_MAX + 1]);
      if (events.length > EVENTS_MAX) throw new ReplayTooLarge(EVENTS_MAX);
      return events.map((event) => ({ event }));
    });
    return { count: replay === null ? due.length : null, replayedBy: replay?.by ?? null };
  }

  /** What an endpoint did not get since it began to fail, or was disabled. Null: nothing. */
  async missed(endpoint: WebhookEndpoint): Promise<MissedEvents | null> {
    const since = endpoint.failingSince ?? endpoint.disabledAt;
    if (since === null) return null;
    const from = await this.firstMissed(endpoint, since);
    const range = { from, to: new Date(), types: ['*'], only: 'failed' } as const;
    return { count: await this.count(endpoint, range), range };
  }

  /** Throws `NotFound`, `IdempotencyKeyReused` and whatever `choose` throws. */
  private async send(caller: Caller, endpointId: string, claim: Claim, choose: Choose): Promise<Sent> {
    let due: DueDelivery[] = [];
    const replay = await this.idempotency.once(claim, async (tx) => {
      // Locked: two replays of what failed, at once, would send it twice.
      const endpoint = await this.endpoints.lock(tx, caller, endpointId);
      const chosen = await choose(tx, endpoint);
      due = await this.queue.plan(
        tx,
        chosen.map((each) => ({ ...each, endpoint, isReplay: true, status: 'pending' })),
      );
    });
    if (replay === null) await this.queue.enqueue(due);
    return { due: replay === null ? due : [], replay };
  }

  private async resultOf(
    caller: Caller,
    { due, replay }: Sent,
    findEarlier: (replay: Replay) => string | null | Promise<string | null>,
  ): Promise<ResendResult> {
    const id = replay === null ? due[0]!.id : await findEarlier(replay);
    return { ...(await this.deliveries.require(caller, id)), replayedBy: replay?.by ?? null };
  }

  /**
   * An event is older than its failure, and `since` is by the account's clock, which may be ahead of the time that
   * events go by.
   */
  private async firstMissed(endpoint: WebhookEndpoint, since: Date): Promise<Date> {
    const { accountId, livemode, id } = endpoint;
    const sinceMs = since.getTime() - (await this.clock.offsetMs(endpoint));
    const [first]: { eventId: string }[] = await this.dataSource.query(SELECT_FIRST_MISSED, [
      accountId,
      livemode,
      id,
      lowestIdAt(new Date(sinceMs - TRIED_MS)),
      new Date(sinceMs),
    ]);
    return new Date(Math.min(sinceMs, first === undefined ? sinceMs : timeOf(first.eventId).getTime()));
  }

  /** A range of the account's clock as one of the time that events go by. */
  private async real(caller: Caller, range: ReplayRange): Promise<ReplayRange> {
    const times = await this.clock.times(caller);
    return times === null ? range : { ...range, from: times.from(range.from), to: times.before(range.to) };
  }

  private async count(endpoint: WebhookEndpoint, range: ReplayRange): Promise<number> {
    const [{ count }]: [{ count: number }] = await this.dataSource.query(COUNT_REPLAYED, boundsOf(endpoint, range));
    return count;
  }
}

/** Of the types that are asked for, those that the endpoint listens to. */
function boundsOf(
  { accountId, livemode, id, events, includeSecrets }: WebhookEndpoint,
  { from, to, types, only }: ReplayRange,
): unknown[] {
  const wanted = typesOf(events).filter((type) => listensTo(types, type) && isToldOf({ events, includeSecrets }, type));
  return [accountId, livemode, id, lowestIdAt(from), lowestIdAt(to), wanted, only];
}

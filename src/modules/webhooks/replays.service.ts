import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { Caller } from '../../core/http/caller';
import { lowestIdAt, timeOf } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { StoredEvent } from '../../core/outbox/event-log';
import { listensTo, typesOf } from './endpoint-patterns.batch';
import { ReplayTooLarge } from './endpoints.errors';
import { claimOf, EndpointsService } from './endpoints.service';
import type { MissedEvents, ReplayRange, ReplayResult } from './endpoints.types';
import { COUNT_REPLAYED, SELECT_FIRST_MISSED, SELECT_REPLAYED } from './replays.queries';
import { SendingsService } from './sendings.service';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

/** What one transaction writes within its time. */
const EVENTS_MAX = 10_000;

/** No delivery is tried for longer. */
const TRIED_MS = 5 * 24 * 3_600_000;

/** Sends events again that an endpoint got, failed to get or never could. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointsService,
    private readonly sendings: SendingsService,
  ) {}

  /** How many events a replay would send. Throws `NotFound`. */
  async preview(caller: Caller, id: string | null, range: ReplayRange): Promise<number> {
    return this.count(await this.endpoints.require(caller, id), range);
  }

  /** Throws `NotFound`, `ReplayTooLarge`, `IdempotencyKeyReused`. */
  async replay(caller: Caller, id: string | null, range: ReplayRange, request: RequestClaim): Promise<ReplayResult> {
    const { due, replay } = await this.sendings.send(caller, claimOf(caller, id, request), async (tx, endpoint) => {
      const events: StoredEvent[] = await tx.query(SELECT_REPLAYED, [...boundsOf(endpoint, range), EVENTS_MAX + 1]);
      if (events.length > EVENTS_MAX) throw new ReplayTooLarge(EVENTS_MAX);
      return events;
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

  /** An event is older than its failure, and `since` is by the account's clock, which may be ahead of the time that events go by. */
  private async firstMissed(endpoint: WebhookEndpoint, since: Date): Promise<Date> {
    const { accountId, livemode, id } = endpoint;
    const sinceMs = since.getTime() - (await this.clock.offsetMs(endpoint));
    const [first]: { eventId: string }[] = await this.dataSource.query(SELECT_FIRST_MISSED, [
      accountId,
      livemode,
      id,
      lowestIdAt(new Date(sinceMs - TRIED_MS)),
      since,
    ]);
    return new Date(Math.min(sinceMs, first === undefined ? sinceMs : timeOf(first.eventId).getTime()));
  }

  private async count(endpoint: WebhookEndpoint, range: ReplayRange): Promise<number> {
    const [{ count }]: [{ count: number }] = await this.dataSource.query(COUNT_REPLAYED, boundsOf(endpoint, range));
    return count;
  }
}

/** Of the types that are asked for, those that the endpoint listens to. */
function boundsOf(
  { accountId, livemode, id, events }: WebhookEndpoint,
  { from, to, types, only }: ReplayRange,
): unknown[] {
  const wanted = typesOf(events).filter((type) => listensTo(types, type));
  return [accountId, livemode, id, lowestIdAt(from), lowestIdAt(to), wanted, only];
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { HIGHEST_ID, lowestIdAt, timeOf } from '../../core/http/ids';
import { EventLog, type EventFilters, type StoredEvent } from '../../core/outbox/event-log';
import { type PresentOptions, Resources, type Viewer } from '../../core/resources/resources';
import { typesShown } from './endpoint-patterns.batch';
import { SELECT_EVENTS_DELIVERED, SELECT_EVENTS_FOLLOWED, SELECT_EVENTS_OWED } from './events.queries';
import type { EventPattern } from './webhooks.types';

/** An event with the resource that it is about. */
export interface ShownEvent {
  readonly event: StoredEvent;
  readonly object: object;
}

/** Where a follower stands. */
export interface Following {
  readonly after: readonly string[] | null;
  readonly take: number;
  readonly isWaiting: () => boolean;
}

const POLL_MS = 200;
const LATE_MAX_MS = 24 * 3_600_000;
/** Before all events: number and uuid. */
export const FIRST: readonly [string, string] = ['0', '00000000-0000-0000-0000-000000000000'];

/** What some resources keep of their kind; meter tokens and PINs among it are masked. */
interface Detailed {
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a reader may narrow events to. */
export interface ReadFilters extends Pick<EventFilters, 'created_gte' | 'created_lt'> {
  readonly type?: readonly EventPattern[];
}

export interface DeliveredFilters extends ReadFilters {
  /** Whether all endpoints that were to be told got it; events for no endpoint are neither. */
  readonly delivery_success?: boolean;
}

type Reader = Viewer & Pick<Caller, 'scopes'>;

@Injectable()
export class EventsService implements BeforeApplicationShutdown {
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: EventLog,
    private readonly resources: Resources,
  ) {}

  /** Throws `NotFound`, and `InsufficientScope` when the reader may not read what it is about. */
  async require(reader: Reader, id: string | null): Promise<ShownEvent> {
    const event = found(id === null ? null : await this.log.find(reader, id), 'event');
    this.resources.requireReadable(reader, event.objectType);
    return this.show(event);
  }

  /** Of those about what the reader may read, newest first, below the uuid `before`. */
  async list(reader: Reader, wanted: DeliveredFilters, before: string | null, take: number): Promise<ShownEvent[]> {
    const { delivery_success: isDelivered, ...rest } = wanted;
    const filters = this.narrowed(reader, rest);
    const events =
      isDelivered === undefined
        ? await this.log.list(reader, filters, before, take)
        : await this.listBySuccess(reader, { ...filters, isDelivered }, before, take);
    return Promise.all(events.map((event) => this.show(event)));
  }

  /**
   * Of those about what the reader may read, in the order of commits, behind `after`: number and uuid of an event. When there is none
   * yet, waits for one as long as `isWaiting` says. A transaction that commits late comes late, and is never passed over.
   */
  async follow(reader: Reader, wanted: ReadFilters, { after, take, isWaiting }: Following): Promise<ShownEvent[]> {
    const { accountId, livemode } = reader;
    const [number, id] = after === null ? FIRST : [after[0]!, after[1]!];
    // Ids carry a time from before the commit; clocks differ. What is older than this was decided long ago.
    const lowest = after === null ? FIRST[1] : lowestIdAt(new Date(timeOf(id).getTime() - LATE_MAX_MS));
    const { type = null, about, created_gte: from, created_lt: to } = this.narrowed(reader, wanted);
    const bounds = [from ? lowestIdAt(from) : FIRST[1], to ? lowestIdAt(to) : HIGHEST_ID];
    const params = [accountId, livemode, number, id, lowest, type, about, ...bounds, take];
    for (;;) {
      const events: StoredEvent[] = await this.dataSource.query(SELECT_EVENTS_FOLLOWED, params);
      if (events.length > 0 || this.isStopping || !isWaiting())
        return Promise.all(events.map((event) => this.show(event)));
      await sleep(POLL_MS);
    }
  }

  /** Who waits is answered, so that the process can end. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async show(event: StoredEvent, options?: PresentOptions): Promise<ShownEvent> {
    const object: Detailed = await this.present(event, { at: event });
    return { event, object: options?.withSecrets ? { ...object, ...(await this.unmasked(event, object)) } : object };
  }

  private present(event: StoredEvent, options: PresentOptions): Promise<Detailed> {
    return this.resources.present(event, event.objectType, event.objectId, options);
  }

  /** Snapshots keep no secrets: a detail that stands as it stood is shown as it is today. */
  private async unmasked(event: StoredEvent, { details }: Detailed): Promise<Detailed> {
    if (!details) return {};
    const [masked, whole] = await Promise.all([this.present(event, {}), this.present(event, { withSecrets: true })]);
    const isSame = (key: string): boolean => JSON.stringify(details[key]) === JSON.stringify(masked.details?.[key]);
    return {
      details: Object.fromEntries(
        Object.keys(details).map((key) => [key, isSame(key) ? whole.details?.[key] : details[key]]),
      ),
    };
  }

  private narrowed(reader: Reader, { type, ...times }: ReadFilters): EventFilters {
    return { ...times, type: type && typesShown(type), about: this.resources.readableBy(reader) };
  }

  private listBySuccess(
    { accountId, livemode }: Viewer,
    filters: EventFilters & { readonly isDelivered: boolean },
    before: string | null,
    take: number,
  ): Promise<StoredEvent[]> {
    const { type, created_gte, created_lt, about, isDelivered } = filters;
    const bounds = [
      before ?? HIGHEST_ID,
      created_lt ? lowestIdAt(created_lt) : HIGHEST_ID,
      lowestIdAt(created_gte ?? new Date(0)),
    ];
    const query = isDelivered ? SELECT_EVENTS_DELIVERED : SELECT_EVENTS_OWED;
    return this.dataSource.query(query, [accountId, livemode, ...bounds, type ?? null, take, about ?? null]);
  }
}

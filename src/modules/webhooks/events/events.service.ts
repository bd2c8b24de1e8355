import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { isDatabaseAway, isStatementTimeout } from '../../../core/database/unit-of-work';
import { found } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { encodeId, HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../../core/http/ids';
import {
  DECIDED,
  EventFeed,
  type EventFilters,
  EventLog,
  type EventMark,
  LATE_MAX_DAYS,
  type StoredEvent,
} from '../../../core/outbox/event-log';
import { waitUpTo } from '../../../core/process/work-under-way';
import { type PresentOptions, Presents, Resources, type Viewer } from '../../../core/resources/resources';
import { type EventPattern, typesShown } from './event-patterns';
import { EventDto, fitBody } from './event.dto';

/** Columns of `events e` as `StoredEvent`. */
export const EVENT = `
  e.account_id AS "accountId", e.livemode, e.id, e.type, e.object_type AS "objectType", e.object_id AS "objectId",
  e.snapshot, e.request_id AS "requestId", e.idempotency_key AS "idempotencyKey", e.xact::text AS number`;

const OF_EVENT = 'd.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id';

/** A delivery that did not succeed counts no more once its endpoint got the event by another one. */
const IS_OWED = `EXISTS (
  SELECT 1 FROM webhook_deliveries d WHERE ${OF_EVENT} AND d.status <> 'delivered' AND NOT EXISTS (
    SELECT 1 FROM webhook_deliveries s
     WHERE s.account_id = d.account_id AND s.livemode = d.livemode AND s.event_id = d.event_id
       AND s.endpoint_id = d.endpoint_id AND s.status = 'delivered'))`;

/**
 * From deliveries to events, newest first: neither all events nor, for those that are owed, all deliveries are read.
 */
const eventsWith = (status: string, condition: string): string => `
  SELECT ${EVENT} FROM (
    SELECT DISTINCT event_id FROM webhook_deliveries
     WHERE account_id = $1 AND livemode = $2 AND event_id < $3 AND event_id < $4 AND event_id >= $5
       AND status ${status} 'delivered'
     ORDER BY event_id DESC
  ) d JOIN events e ON e.account_id = $1 AND e.livemode = $2 AND e.id = d.event_id
   WHERE ($6::text[] IS NULL OR e.type = ANY ($6)) AND ($8::text[] IS NULL OR e.object_type = ANY ($8))
     AND ${condition}
   ORDER BY e.id DESC LIMIT $7`;

/**
 * Oldest commit first, as the relay reads: account, mode, behind number and id, lowest id, types, prefixes that may be
 * read, times from and to as ids, rows. What the relay has not got to yet comes once it is decided, so nothing can
 * appear behind a cursor. Events of tests have no place in the order.
 */
const SELECT_EVENTS_FOLLOWED = `
  SELECT ${EVENT}, uuid_v7_floor(now() - interval '${LATE_MAX_DAYS} days') AS "lowestNow"
    FROM relay_position r, events e
   WHERE r.name = 'webhooks' AND e.account_id = $1 AND e.livemode = $2 AND e.xact > 0 AND e.xact < ${DECIDED}
     AND e.xact >= $3::bigint AND (e.xact, e.id) > ($3::bigint, $4::uuid) AND e.id >= $5 AND e.id >= $8 AND e.id < $9
     AND ($6::text[] IS NULL OR e.type = ANY ($6)) AND ($7::text[] IS NULL OR e.object_type = ANY ($7))
   ORDER BY e.xact, e.id LIMIT $10`;

/**
 * Events that all endpoints got: account, mode, id to continue below, highest and lowest id, type, rows, kinds of
 * objects.
 */
const SELECT_EVENTS_DELIVERED = eventsWith('=', `NOT ${IS_OWED}`);

/** Events that one endpoint did not get, or not yet. */
const SELECT_EVENTS_OWED = eventsWith('<>', IS_OWED);

/** An event with the resource that it is about. */
export interface ShownEvent {
  readonly event: StoredEvent;
  readonly object: object;
}

/** Where a follower stands. */
interface Following {
  /** As `FIRST`. */
  readonly after: readonly string[];
  readonly take: number;
  readonly isWaiting: () => boolean;
}

/** How often it is asked whether a reader still waits. */
const LOOK_MS = 200;
/**
 * Before all events: number and uuid of the last that was read, and the lowest uuid of what may follow. That comes of
 * the clock of the database, at a moment when all had been read: an event's own time may be that of a clock far ahead.
 */
export const FIRST = ['0', LOWEST_ID, LOWEST_ID] as const;

/** An event in the order of commits. */
type ReadEvent = StoredEvent & { readonly lowestNow: string };

interface Followed {
  readonly shown: ShownEvent[];
  readonly lowest: string;
}

/** A reader who waits for events. */
class Waiting {
  /** Some may have come before it was told of them. */
  private hasNews = true;
  private wake: () => void = () => undefined;

  constructor(
    readonly accountId: string,
    readonly isWanted: (event: EventMark) => boolean,
  ) {}

  tell(): void {
    this.hasNews = true;
    this.wake();
  }

  takeNews(): boolean {
    const { hasNews } = this;
    this.hasNews = false;
    return hasNews;
  }

  /** For a moment, at most. */
  async forNews(): Promise<void> {
    if (this.hasNews) return;
    await waitUpTo(LOOK_MS, new Promise((resolve) => (this.wake = resolve)));
  }
}

/** What some resources keep of their kind; meter tokens and PINs among it are masked. */
interface Detailed {
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a reader may narrow events to. */
interface ReadFilters extends Pick<EventFilters, 'created_gte' | 'created_lt'> {
  readonly type?: readonly EventPattern[];
}

interface DeliveredFilters extends ReadFilters {
  /** Whether all endpoints that were to be told got it; events for no endpoint are neither. */
  readonly delivery_success?: boolean;
}

type Reader = Viewer & Pick<Caller, 'scopes'>;

/** An event goes to all endpoints of its account at about the same time. */
const SHARED_MS = 1_000;
const SHARED_MAX = 500;

/** Events as partners read them, and as they are posted to their endpoints. */
@Injectable()
export class EventsService {
  private readonly logger = new Logger('events');
  private readonly bodies = new LRUCache<string, Promise<string>>({ max: SHARED_MAX, ttl: SHARED_MS });
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly feed: EventFeed,
    private readonly log: EventLog,
    private readonly resources: Resources,
  ) {
    feed.tells(async (events) => this.tell(events));
  }

  /** Throws `NotFound`, and `InsufficientScope` when the reader may not read what it is about. */
  async require(reader: Reader, id: string | null): Promise<ShownEvent> {
    const event = found(id === null ? null : await this.log.find(reader, id), 'event');
    this.resources.requireReadable(reader, event.objectType);
    return this.shownOrNamed(event);
  }

  /** Throws `InsufficientScope` unless the viewer may read what it is about, too. */
  @Presents('evt', 'events:read')
  async present({ accountId, livemode, scopes = [] }: Viewer, id: string): Promise<EventDto> {
    const { event, object } = await this.require({ accountId, livemode, scopes }, id);
    return EventDto.of(event, object);
  }

  /** Of those about what the reader may read, newest first, below the uuid `before`. */
  async list(reader: Reader, wanted: DeliveredFilters, before: string | null, take: number): Promise<ShownEvent[]> {
    const { delivery_success: isDelivered, ...rest } = wanted;
    const filters = this.narrowed(reader, rest);
    const events =
      isDelivered === undefined
        ? await this.log.list(reader, filters, before, take)
        : await this.listBySuccess(reader, { ...filters, isDelivered }, before, take);
    return Promise.all(events.map((event) => this.shownOrNamed(event)));
  }

  /**
   * Of those about what the reader may read, in the order of commits, behind `after`; and the lowest uuid of what may
   * follow them. When there is none yet, waits for one as long as `isWaiting` says. A transaction that commits late
   * comes late, and is never passed over.
   */
  async follow(reader: Reader, wanted: ReadFilters, { after, take, isWaiting }: Following): Promise<Followed> {
    const { accountId, livemode } = reader;
    const [number, id, lowest = LOWEST_ID] = after;
    const { type = null, about, created_gte: from, created_lt: to } = this.narrowed(reader, wanted);
    const bounds = [from ? lowestIdAt(from) : LOWEST_ID, to ? lowestIdAt(to) : HIGHEST_ID];
    const params = [accountId, livemode, number, id, lowest, type, about, ...bounds, take];
    const read = (): Promise<ReadEvent[]> => this.dataSource.query(SELECT_EVENTS_FOLLOWED, params);
    const [types, kinds] = [type && new Set(type), about && new Set(about)];
    const isWanted = (event: EventMark): boolean =>
      event.accountId === accountId &&
      event.livemode === livemode &&
      event.id >= bounds[0]! &&
      event.id < bounds[1]! &&
      (types === null || types.has(event.type)) &&
      (!kinds || kinds.has(event.objectType));
    let events = await read();
    if (events.length === 0 && isWaiting()) events = await this.wait(new Waiting(accountId, isWanted), read, isWaiting);
    const isAll = events.length > 0 && events.length < take;
    return {
      shown: await Promise.all(events.map((event) => this.shownOrNamed(event))),
      lowest: isAll ? events[0]!.lowestNow : lowest,
    };
  }

  /** Reads only when something came: the look-out for it is one for all who wait. */
  private async wait(
    waiting: Waiting,
    read: () => Promise<ReadEvent[]>,
    isWaiting: () => boolean,
  ): Promise<ReadEvent[]> {
    try {
      await this.feed.join(waiting.accountId);
    } catch (error) {
      if (this.feed.isStopping) return [];
      throw error;
    }
    this.waiting.add(waiting);
    try {
      for (;;) {
        const events = waiting.takeNews() ? await read() : [];
        // Who waits is answered when the process is to end.
        if (events.length > 0 || this.feed.isStopping || !isWaiting()) return events;
        await waiting.forNews();
      }
    } finally {
      this.waiting.delete(waiting);
      this.feed.leave(waiting.accountId);
    }
  }

  private tell(events: readonly EventMark[]): void {
    for (const waiting of this.waiting) if (events.some(waiting.isWanted)) waiting.tell();
  }

  /** What is posted of an event: JSON of less than 20 kB. Throws what the presenter of its object throws. */
  bodyOf(event: StoredEvent, withSecrets: boolean): Promise<string> {
    const key = `${event.id}:${withSecrets}`;
    const known = this.bodies.get(key);
    if (known !== undefined) return known;
    const body = this.makeBody(event, withSecrets);
    this.bodies.set(key, body);
    body.catch(() => this.bodies.delete(key));
    return body;
  }

  private async makeBody(event: StoredEvent, withSecrets: boolean): Promise<string> {
    const { object } = await this.show(event, { withSecrets });
    const body = EventDto.of(event, object);
    // With all moves that came before it, the same bytes come at each attempt.
    const times = await this.clock.times(event, timeOf(event.id));
    return fitBody(times === null ? body : times.present(body));
  }

  private async show(event: StoredEvent, options?: PresentOptions): Promise<ShownEvent> {
    const object: Detailed = withTimes(await this.objectOf(event, { at: event }));
    return { event, object: options?.withSecrets ? { ...object, ...(await this.unmasked(event, object)) } : object };
  }

  /** Whoever reads gets on: what cannot be shown, of a team that is gone for instance, is named. */
  private async shownOrNamed(event: StoredEvent): Promise<ShownEvent> {
    try {
      return await this.show(event);
    } catch (error) {
      if (isDatabaseAway(error) || isStatementTimeout(error)) throw error;
      const { id, objectType, objectId } = event;
      this.logger.error({ message: 'what an event is about cannot be shown', event: encodeId('evt', id), err: error });
      return { event, object: { id: encodeId(objectType, objectId) } };
    }
  }

  private objectOf(event: StoredEvent, options: PresentOptions): Promise<Detailed> {
    return this.resources.present(event, event.objectType, event.objectId, options);
  }

  /** Snapshots keep no secrets: a detail that stands as it stood is shown as it is today. */
  private async unmasked(event: StoredEvent, { details }: Detailed): Promise<Detailed> {
    if (!details) return {};
    const [masked, whole] = await Promise.all([this.objectOf(event, {}), this.objectOf(event, { withSecrets: true })]);
    const isSame = (key: string): boolean => isDeepStrictEqual(details[key], masked.details?.[key]);
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

/** Snapshots keep times as text. */
const withTimes = <T extends object>(object: T): T =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'string' ? new Date(value) : (value as unknown),
    ]),
  ) as T;

import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MetricReads } from '../database/metric-reads';
import { UnitOfWork } from '../database/unit-of-work';
import type { Caller } from '../http/caller';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../http/ids';
import { type Sample, sampledCounter } from '../metrics/metrics';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { EventType } from '../../vocabulary/event-types';

/** An event as it was written. */
export interface StoredEvent {
  readonly accountId: string;
  readonly livemode: boolean;
  /** UUIDv7: also the time of the event. */
  readonly id: string;
  readonly type: EventType;
  readonly objectType: IdPrefix;
  readonly objectId: string;
  readonly snapshot: object | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** Its place in the order of commits, in decimal. */
  readonly number: string;
}

export interface EventFilters {
  readonly type?: readonly EventType[];
  readonly created_gte?: Date;
  readonly created_lt?: Date;
  /** Prefixes of the objects; null: any. */
  readonly about?: readonly IdPrefix[] | null;
}

type Owner = Pick<Caller, 'accountId' | 'livemode'>;

const COLUMNS = `
  account_id AS "accountId", livemode, id, type, object_type AS "objectType", object_id AS "objectId", snapshot,
  request_id AS "requestId", idempotency_key AS "idempotencyKey", xact::text AS number`;

/** Of `relay_position r`, the number below which every transaction is decided: nothing can appear there any more. */
export const DECIDED = `r.base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** A place in the order of commits: what comes next has a higher number, or the same and a higher id. */
export interface EventPlace {
  readonly number: string;
  readonly id: string;
  /** When all before it had been read: what follows is hardly older. */
  readonly at: Date;
}

/** An event without what it says. */
export type EventMark = Pick<
  StoredEvent,
  'accountId' | 'livemode' | 'id' | 'type' | 'objectType' | 'objectId' | 'number'
>;

interface WantedMarks {
  /** Of these accounts; null: of all. */
  readonly accounts?: readonly string[] | null;
  readonly types?: readonly string[] | null;
  readonly take: number;
}

/**
 * Ids carry a time from before the commit, by clocks that may be far off. Only whole months are left out by it, so it
 * costs little to allow for much.
 */
export const LATE_MAX_DAYS = 31;
const LATE_MAX_MS = LATE_MAX_DAYS * 24 * 3_600_000;

const SELECT_DECIDED = `SELECT (${DECIDED})::text AS number FROM relay_position r WHERE r.name = 'webhooks'`;

/** Number and id to begin behind, lowest id, accounts, types, rows. One row without an event where there is none. */
const SELECT_MARKS = `
  WITH h AS MATERIALIZED (SELECT ${DECIDED} AS xact FROM relay_position r WHERE r.name = 'webhooks')
  SELECT h.xact::text AS decided, e.* FROM h LEFT JOIN LATERAL (
    SELECT account_id AS "accountId", livemode, id, type, object_type AS "objectType", object_id AS "objectId",
           xact::text AS number
      FROM events
     WHERE xact > 0 AND xact >= $1::bigint AND (xact, id) > ($1::bigint, $2::uuid) AND xact < h.xact AND id >= $3
       AND ($4::uuid[] IS NULL OR account_id = ANY ($4)) AND ($5::text[] IS NULL OR type = ANY ($5))
     ORDER BY xact, events.id LIMIT $6) e ON true
   ORDER BY e.number::bigint, e.id`;

/** What was decided behind a number, by type; the lowest id of it. One row without a type where there is nothing. */
const COUNT_BY_TYPE = `
  WITH h AS MATERIALIZED (SELECT ${DECIDED} AS xact FROM relay_position r WHERE r.name = 'webhooks')
  SELECT h.xact::text AS number, e.* FROM h LEFT JOIN LATERAL (
    SELECT type, livemode, count(*)::integer AS count FROM events
     WHERE xact > 0 AND xact >= $1::bigint AND xact < h.xact AND id >= $2 AND NOT is_sample
     GROUP BY type, livemode) e ON true`;

const provideCounts = sampledCounter(
  'events_total',
  'Events since this process was first asked, by type: purchases, payments, refunds and the rest by their states.',
  ['type', 'livemode'],
);

/** Reads events back; keeps their numbers growing when the database moves to another server, or goes back in time. */
@Injectable()
export class EventLog implements OnModuleInit {
  private readonly log = new Logger('events');
  /** Up to where events were counted; null: what comes from now on counts. */
  private counted: EventPlace | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
    private readonly metrics: MetricReads,
  ) {
    provideCounts(() => this.counts());
  }

  /** Before this process writes its first event. */
  async onModuleInit(): Promise<void> {
    await this.renewEpoch();
  }

  /** Begins an epoch unless that of this server runs. */
  async renewEpoch(): Promise<void> {
    const [{ began }] = await this.uow.run((tx): Promise<[{ began: boolean }]> =>
      tx.query('SELECT begin_event_epoch() AS began'),
    );
    if (began) this.log.log('a new epoch of events begins: the database is on another server, or was restored');
  }

  /** Behind everything that is decided by now. */
  async lastPlace(): Promise<EventPlace> {
    const at = new Date();
    const [{ number }] = (await this.dataSource.query(SELECT_DECIDED)) as [{ number: string }];
    return { number, id: LOWEST_ID, at };
  }

  /** In the order of commits: what was decided behind a place, and the place behind what was read. */
  async since(
    place: EventPlace,
    { accounts = null, types = null, take }: WantedMarks,
  ): Promise<{ events: EventMark[]; place: EventPlace; isMore: boolean }> {
    const at = new Date();
    const lowest = lowestIdAt(new Date(place.at.getTime() - LATE_MAX_MS));
    const params = [place.number, place.id, lowest, accounts, types, take];
    const rows: (EventMark & { decided: string })[] = await this.dataSource.query(SELECT_MARKS, params);
    const events = rows.filter(({ id }) => id !== null);
    const isMore = events.length === take;
    const { number, id } = isMore ? events.at(-1)! : { number: rows[0]!.decided, id: LOWEST_ID };
    const isForth = isMore || BigInt(number) > BigInt(place.number);
    return { events, place: isForth ? { number, id, at: isMore ? place.at : at } : place, isMore };
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode }: Owner,
    { type, created_gte, created_lt, about = null }: EventFilters,
    before: string | null,
    take: number,
  ): Promise<StoredEvent[]> {
    const bounds = [
      before ?? HIGHEST_ID,
      created_lt ? lowestIdAt(created_lt) : HIGHEST_ID,
      created_gte ? lowestIdAt(created_gte) : LOWEST_ID,
    ];
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM events WHERE account_id = $1 AND livemode = $2 AND id < $3 AND id < $4 AND id >= $5
        AND ($6::text[] IS NULL OR type = ANY ($6)) AND ($8::text[] IS NULL OR object_type = ANY ($8))
        ORDER BY id DESC LIMIT $7`,
      [accountId, livemode, ...bounds, type ?? null, take, about],
    );
  }

  async find({ accountId, livemode }: Owner, id: string): Promise<StoredEvent | null> {
    const rows: StoredEvent[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM events WHERE account_id = $1 AND livemode = $2 AND id = $3`,
      [accountId, livemode, id],
    );
    return rows[0] ?? null;
  }

  /** The newest event about a kind of object: one of this type if there is any. Not for hot paths. */
  async newestAbout(
    { accountId, livemode }: Owner,
    objectType: IdPrefix,
    type: EventType,
  ): Promise<StoredEvent | null> {
    const rows: StoredEvent[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM events WHERE account_id = $1 AND livemode = $2 AND object_type = $3 AND NOT is_sample
        ORDER BY (type = $4) DESC, id DESC LIMIT 1`,
      [accountId, livemode, objectType, type],
    );
    return rows[0] ?? null;
  }

  /** Oldest first: the events about some objects, between two moments. Samples are no part of their story. */
  about(
    { accountId, livemode }: Owner,
    objectIds: readonly string[],
    [from, to]: [Date, Date],
  ): Promise<StoredEvent[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM events
        WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND id < $4 AND object_id = ANY($5::uuid[])
          AND NOT is_sample
        ORDER BY id`,
      [accountId, livemode, lowestIdAt(from), lowestIdAt(to), objectIds],
    );
  }

  /** Oldest first: the events that a request caused, between two moments. */
  causedBy({ accountId, livemode }: Owner, requestId: string, [from, to]: [Date, Date]): Promise<StoredEvent[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM events
        WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND id < $4 AND request_id = $5 ORDER BY id LIMIT 200`,
      [accountId, livemode, lowestIdAt(from), lowestIdAt(to), requestId],
    );
  }

  /** What a request made or changed, in the order in which it was first told; looked for between two moments. */
  changedBy(
    { accountId, livemode }: Owner,
    requestId: string,
    [from, to]: [Date, Date],
  ): Promise<Pick<StoredEvent, 'objectType' | 'objectId'>[]> {
    return this.dataSource.query(
      `SELECT object_type AS "objectType", object_id AS "objectId" FROM events
        WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND id < $4 AND request_id = $5 AND NOT is_sample
        GROUP BY object_type, object_id ORDER BY min(id::text) LIMIT 50`,
      [accountId, livemode, lowestIdAt(from), lowestIdAt(to), requestId],
    );
  }

  /** What was decided since it was last asked. What cannot be counted in time is left out. */
  private async counts(): Promise<Sample[]> {
    const from = this.counted;
    this.counted = null;
    const at = new Date();
    const params = from
      ? [from.number, lowestIdAt(new Date(from.at.getTime() - LATE_MAX_MS))]
      : ['9223372036854775807', HIGHEST_ID];
    const rows = await this.metrics.rows<{ number: string; type: string | null; livemode: boolean; count: number }>(
      COUNT_BY_TYPE,
      params,
    );
    this.counted = { number: rows[0]!.number, id: LOWEST_ID, at };
    return rows.flatMap(({ type, livemode, count }) =>
      type === null ? [] : [{ labels: { type, livemode: String(livemode) }, value: count }],
    );
  }
}

/** Between two questions. */
export const FEED_MS = 250;
const FEED_TAKE = 500;

type Tell = (events: readonly EventMark[]) => Promise<void>;

interface Joining {
  readonly admit: (place: EventPlace) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * The events of all accounts that somebody watches, in the order of commits: one question to the database at a time for
 * the whole process, and none while nobody watches.
 */
@Injectable()
export class EventFeed implements BeforeApplicationShutdown {
  private readonly log = new Logger('events');
  private readonly stopping = new AbortController();
  /** How many watch each account. */
  private readonly watched = new Map<string, number>();
  private joining: Joining[] = [];
  private place: EventPlace | null = null;
  private loop: Promise<void> | null = null;
  private readonly tellers: Tell[] = [];

  constructor(private readonly events: EventLog) {}

  /** Who passes events on. The next ones wait until it is done. */
  tells(tell: Tell): void {
    this.tellers.push(tell);
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** From now on events of the account are told: those behind the place that is answered. */
  async join(accountId: string): Promise<EventPlace> {
    this.watched.set(accountId, (this.watched.get(accountId) ?? 0) + 1);
    const { promise, resolve, reject } = Promise.withResolvers<EventPlace>();
    this.joining.push({ admit: resolve, refuse: reject });
    this.loop ??= this.keep();
    try {
      return await promise;
    } catch (error) {
      this.leave(accountId);
      throw error;
    }
  }

  leave(accountId: string): void {
    const left = (this.watched.get(accountId) ?? 1) - 1;
    if (left > 0) this.watched.set(accountId, left);
    else this.watched.delete(accountId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('this process stops'));
    await this.loop;
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping;
    while (this.watched.size > 0) {
      try {
        signal.throwIfAborted();
        await this.readOn();
      } catch (error) {
        for (const { refuse } of this.joining.splice(0)) refuse(error);
        if (signal.aborted) break;
        this.log.warn({ message: 'events could not be read; they will be', err: error });
      }
      await sleep(FEED_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.place = null;
    this.loop = null;
  }

  private async readOn(): Promise<void> {
    this.place ??= await this.events.lastPlace();
    for (const { admit } of this.joining.splice(0)) admit(this.place);
    for (let isMore = true; isMore && !this.isStopping;) {
      const read = await this.events.since(this.place, { accounts: [...this.watched.keys()], take: FEED_TAKE });
      if (read.events.length > 0) await Promise.all(this.tellers.map((tell) => tell(read.events)));
      ({ place: this.place, isMore } = read);
    }
  }
}

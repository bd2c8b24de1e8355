import type { Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { encodeId } from '../../../core/http/ids';
import { type Page, Pages } from '../../../core/http/pages';
import { EventFeed, EventLog, type EventMark, type EventPlace } from '../../../core/outbox/event-log';
import { Resources } from '../../../core/resources/resources';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import { TooManyStreams } from '../dashboard.errors';
import { SessionsService, type SignedIn } from '../people/sessions.service';
import { scopesOf } from '../roles';

/** Hidden tabs have none. */
const OF_A_PERSON_MAX = 6;
const OF_THE_PROCESS_MAX = 1_000;
const CHECK_MS = 3_000;
const HEARTBEAT_MS = 15_000;
/** Who does not read so much has gone, or comes again and reads on from where they were. */
const UNREAD_BYTES_MAX = 256 * 1_024;
/** Somebody who missed more reads everything anew. */
const MISSED_MAX = 1_000;
const MISSED_MS_MAX = 12 * 3_600_000;
const RECENT_MS = 15_000;
const RECENT_MAX = 100;

const message = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Proxies see that the connection is used, pages that it is there. */
const HEARTBEAT = `: here\n${message('here', {})}`;

/** Why a stream ends. */
type End = 'session' | 'changed' | 'restart';

/** What somebody watches, and behind which event they go on. */
export interface Watched {
  readonly livemode: boolean;
  readonly after?: string;
  /** Without one: also what happened a moment ago, while a page was being read. */
  readonly recent: boolean;
}

interface Stream {
  readonly me: SignedIn;
  readonly livemode: boolean;
  /** Kinds of objects that the role may read; null: all. */
  readonly kinds: ReadonlySet<IdPrefix> | null;
  readonly page: Page;
  readonly out: PassThrough;
  /** What came while the missed was still read. */
  waiting: EventMark[] | null;
}

/** Events as they happen, for people who look at the dashboard: which, and about what; until their session ends. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly log = new Logger('live');
  private readonly streams = new Set<Stream>();
  /** Sessions are looked after, and the connection kept, while there are streams. */
  private timer: NodeJS.Timeout | null = null;
  private lastBeat = 0;
  private isStopping = false;
  private opening = new Map<string, number>();

  constructor(
    private readonly feed: EventFeed,
    private readonly events: EventLog,
    private readonly sessions: SessionsService,
    private readonly resources: Resources,
    private readonly pages: Pages,
  ) {
    feed.tells((events) => this.pass(events));
  }

  get size(): number {
    return this.streams.size;
  }

  /** Throws `InvalidCursor`, `TooManyStreams`. */
  async open(me: SignedIn, { livemode, after, recent }: Watched, socket: Socket): Promise<Readable> {
    const { accountId, userId, role } = me;
    const page = this.pages.open({ accountId, livemode }, 'dashboard_stream', { limit: 1, cursor: after });
    this.requireRoom(userId);
    this.opening.set(userId, (this.opening.get(userId) ?? 0) + 1);
    const kinds = this.resources.readableBy({ scopes: scopesOf(role, livemode) });
    const out = new PassThrough();
    const stream: Stream = { me, livemode, kinds: kinds && new Set(kinds), page, out, waiting: [] };
    try {
      const place = await this.feed.join(accountId);
      this.keep(stream, socket);
      if (recent && page.after === null) await this.tellRecent(stream, place);
      await this.catchUp(stream, place);
      return out;
    } catch (error) {
      out.destroy();
      throw error;
    } finally {
      this.opening.set(userId, this.opening.get(userId)! - 1);
      if (this.opening.get(userId) === 0) this.opening.delete(userId);
    }
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const stream of this.streams) this.end(stream, 'restart');
  }

  private requireRoom(userId: string): void {
    const mine = [...this.streams].filter(({ me }) => me.userId === userId).length + (this.opening.get(userId) ?? 0);
    if (this.isStopping || mine >= OF_A_PERSON_MAX || this.streams.size >= OF_THE_PROCESS_MAX)
      throw new TooManyStreams();
  }

  private keep(stream: Stream, socket: Socket): void {
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), CHECK_MS).unref();
    const cut = (): void => void stream.out.destroy();
    socket.once('close', cut);
    // Without a listener what goes wrong with one connection would end the process.
    stream.out.on('error', () => undefined);
    stream.out.once('close', () => {
      socket.off('close', cut);
      this.streams.delete(stream);
      this.feed.leave(stream.me.accountId);
      if (this.streams.size > 0 || this.timer === null) return;
      clearInterval(this.timer);
      this.timer = null;
    });
    if (socket.destroyed) cut();
    else if (this.isStopping) this.end(stream, 'restart');
  }

  /** What came behind the place where the reader was; then they are where all others are. */
  private async catchUp(stream: Stream, place: EventPlace): Promise<void> {
    const { page, me } = stream;
    if (page.after !== null) {
      const [number, id, at] = page.after as [string, string, string];
      const from = { number, id, at: new Date(at) };
      const isLongAgo = place.at.getTime() - from.at.getTime() > MISSED_MS_MAX;
      const missed = isLongAgo
        ? null
        : await this.events.since(from, { accounts: [me.accountId], take: MISSED_MAX + 1 });
      if (missed === null || missed.isMore) this.write(stream, message('behind', {}));
      else
        this.send(
          stream,
          missed.events.filter((event) => !isBehind(event, place)),
        );
    }
    this.write(stream, message('ready', {}, this.idOf(stream, place)));
    const { waiting } = stream;
    stream.waiting = null;
    this.send(stream, waiting!);
  }

  private async tellRecent(stream: Stream, place: EventPlace): Promise<void> {
    const { me, livemode } = stream;
    const created_gte = new Date(Date.now() - RECENT_MS);
    const events = await this.events.list({ accountId: me.accountId, livemode }, { created_gte }, null, RECENT_MAX);
    this.send(stream, events.filter((event) => !isBehind(event, place)).toReversed());
  }

  private async pass(events: readonly EventMark[]): Promise<void> {
    const accounts = new Set(events.map(({ accountId }) => accountId));
    await this.endWithSessions([...this.streams].filter(({ me }) => accounts.has(me.accountId)));
    for (const stream of this.streams) {
      const mine = events.filter(
        ({ accountId, livemode }) => accountId === stream.me.accountId && livemode === stream.livemode,
      );
      if (stream.waiting === null) this.send(stream, mine);
      else if (stream.waiting.length > MISSED_MAX) stream.out.destroy();
      else stream.waiting.push(...mine);
    }
  }

  private send(stream: Stream, events: readonly EventMark[]): void {
    const { kinds, livemode } = stream;
    const at = new Date();
    for (const event of events) {
      if (event.livemode !== livemode || (kinds !== null && !kinds.has(event.objectType))) continue;
      const shown = {
        id: encodeId('evt', event.id),
        type: event.type,
        object: encodeId(event.objectType, event.objectId),
      };
      this.write(stream, message('event', shown, this.idOf(stream, { ...event, at })));
    }
  }

  private idOf({ page }: Stream, { number, id, at }: EventPlace): string {
    const start = [number, id, at.toISOString()];
    return page.following([start], (row) => row, { positionOf: (row) => row, start }).next_cursor!;
  }

  private write({ out }: Stream, text: string): void {
    if (out.destroyed || out.writableEnded) return;
    out.write(text);
    if (out.writableLength + out.readableLength > UNREAD_BYTES_MAX) out.destroy();
  }

  private async look(): Promise<void> {
    try {
      await this.endWithSessions([...this.streams]);
    } catch (error) {
      this.log.warn({ msg: 'sessions of streams could not be looked up; they will be', err: error });
    }
    if (Date.now() - this.lastBeat < HEARTBEAT_MS) return;
    this.lastBeat = Date.now();
    for (const stream of this.streams) this.write(stream, HEARTBEAT);
  }

  /** To look is no visit: a stream keeps no session alive. */
  private async endWithSessions(streams: readonly Stream[]): Promise<void> {
    const signedIn = await this.sessions.stillSignedIn(streams.map(({ me }) => me));
    for (const stream of streams) {
      const now = signedIn.get(stream.me.sessionId);
      if (now === undefined) this.end(stream, 'session');
      else if (now.role !== stream.me.role || (stream.livemode && !now.liveEnabled)) this.end(stream, 'changed');
    }
  }

  private end(stream: Stream, reason: End): void {
    this.write(stream, message('end', { reason }));
    this.streams.delete(stream);
    stream.out.end();
  }
}

/** Whether an event comes after a place, and so is told by the feed. */
const isBehind = ({ number, id }: EventMark, place: EventPlace): boolean =>
  BigInt(number) > BigInt(place.number) || (number === place.number && id > place.id);

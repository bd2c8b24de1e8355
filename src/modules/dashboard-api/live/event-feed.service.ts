import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { EventLog, type EventMark, type EventPlace } from '../../../core/outbox/event-log';

/** Between two questions. */
export const POLL_MS = 250;
const TAKE = 500;

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
  private readonly log = new Logger('live');
  private readonly stopping = new AbortController();
  /** How many watch each account. */
  private readonly watched = new Map<string, number>();
  private joining: Joining[] = [];
  private place: EventPlace | null = null;
  private loop: Promise<void> | null = null;
  private tell: (events: readonly EventMark[]) => Promise<void> = async () => undefined;

  constructor(private readonly events: EventLog) {}

  /** Who passes events on. The next ones wait until it is done. */
  tells(tell: (events: readonly EventMark[]) => Promise<void>): void {
    this.tell = tell;
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
        this.log.warn({ msg: 'events could not be read; they will be', err: error });
      }
      await sleep(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.place = null;
    this.loop = null;
  }

  private async readOn(): Promise<void> {
    this.place ??= await this.events.lastPlace();
    for (const { admit } of this.joining.splice(0)) admit(this.place);
    for (let isMore = true; isMore && !this.stopping.signal.aborted;) {
      const read = await this.events.since(this.place, { accounts: [...this.watched.keys()], take: TAKE });
      if (read.events.length > 0) await this.tell(read.events);
      ({ place: this.place, isMore } = read);
    }
  }
}

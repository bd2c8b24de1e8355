import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { arrayParam, type PreparedQuery } from '../database/bulk';
import { ReadPipeline } from '../database/pipeline';
import { waitUpTo } from '../process/work-under-way';

/** Whose end is waited for. */
interface Endable {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

const LOOK_EVERY_MS = 200;

interface Waiting extends Endable {
  readonly tell: () => void;
}

/** What a request waits for, and how long. */
interface Wait extends Endable {
  readonly ms: number;
  /** Our own work on it: does not reject. */
  readonly ours: Promise<unknown>;
  /** Asked when our own work has ended. */
  readonly isRunning: () => boolean | Promise<boolean>;
}

export type WaitForEnd = (wait: Wait) => Promise<void>;

/**
 * Requests that wait for the end of something that anybody may end: we, a requery, a callback, another process. One
 * look for all of them, a few times a second, and none while nobody waits.
 */
@Injectable()
export class Endings implements OnModuleDestroy {
  /** Whether others are waited for at all. */
  isWatching = true;
  private readonly looks: Look[] = [];

  constructor(private readonly reads: ReadPipeline) {}

  /**
   * Called once by each module that has something to wait for. `select`: the `id`s that have ended, of `$1` accounts,
   * `$2` modes, `$3` ids. What it returns waits until the end is stored or the time has passed, whichever is first.
   */
  of(select: PreparedQuery): WaitForEnd {
    const look = new Look(this.reads, select);
    this.looks.push(look);
    return async ({ ms, ours, isRunning, ...what }) => {
      const deadline = performance.now() + ms;
      // Most end in our own hands, at once: then nobody looks.
      let isLeft = true;
      const ended = ours.then(async () => (isLeft = await isRunning()));
      await waitUpTo(
        Math.min(ms, LOOK_EVERY_MS),
        ended.then(() => undefined),
      );
      const leftMs = deadline - performance.now();
      if (!isLeft || leftMs <= 0) return;
      if (!this.isWatching)
        return waitUpTo(
          leftMs,
          ended.then(() => undefined),
        );
      const others = look.until(what, leftMs);
      await Promise.race([others, ended.then((isOpen) => (isOpen ? others : undefined))]);
    };
  }

  /** The process ends: whoever waits for others is answered with what is known, before it waits for its jobs. */
  onModuleDestroy(): void {
    this.isWatching = false;
    for (const look of this.looks) look.tellAll();
  }
}

class Look {
  private readonly waiting = new Set<Waiting>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly reads: ReadPipeline,
    private readonly select: PreparedQuery,
  ) {}

  until({ accountId, livemode, id }: Endable, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const one: Waiting = { accountId, livemode, id, tell };
      const late = setTimeout(tell, ms);
      const { waiting } = this;
      function tell(): void {
        clearTimeout(late);
        waiting.delete(one);
        resolve();
      }
      this.waiting.add(one);
      this.timer ??= setTimeout(() => void this.look(), LOOK_EVERY_MS);
    });
  }

  tellAll(): void {
    for (const one of this.waiting) one.tell();
  }

  private async look(): Promise<void> {
    const asked = [...this.waiting];
    try {
      const params = [
        arrayParam(
          'uuid',
          asked.map(({ accountId }) => accountId),
        ),
        arrayParam(
          'boolean',
          asked.map(({ livemode }) => livemode),
        ),
        arrayParam(
          'uuid',
          asked.map(({ id }) => id),
        ),
      ];
      const { rows } = asked.length > 0 ? await this.reads.query<{ id: string }>(this.select, params) : { rows: [] };
      const ended = new Set(rows.map(({ id }) => id));
      for (const one of asked) if (ended.has(one.id)) one.tell();
    } catch {
      // The database is away: the next look may find out, and nobody waits longer than he said.
    } finally {
      this.timer = this.waiting.size > 0 ? setTimeout(() => void this.look(), LOOK_EVERY_MS) : null;
    }
  }
}

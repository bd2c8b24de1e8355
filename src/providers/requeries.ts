import { setTimeout as sleep } from 'node:timers/promises';
import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { isFenced } from '../core/cells/slot-moves';
import type { Key } from '../core/http/caller';
import { Clock, Wakers } from '../core/clock/clock';
import { MetricReads } from '../core/database/metric-reads';
import { type Sample, sampledGauges } from '../core/metrics/metrics';
import { forEach } from '../core/process/work-under-way';
import { WORKER_OPTIONS } from '../core/queue/queue-options';
import { Recurring } from '../core/queue/recurring-jobs';

export const REQUERIES_QUEUE = 'requeries';

const SWEEP_MS = 5_000;
const CHUNK = 500;
/** Those outside may be slow: many are asked at once, and one product's silence leaves room for the others. */
const CONCURRENCY = 48;
/** Matters of one account that are looked at together. */
const PARALLEL = 16;
/** What was looked at may be due again at once: a few rounds bring all to rest. */
const ROUNDS_MAX = 50;
/** A round that finds somebody else looking waits so long. */
const OTHERS_MS = 100;
/** A company that does not answer holds nobody up for longer than 5 s. */
const WAITS_MAX = 50;
/** What is due later waits in the database alone. */
const NEAR_MS = 10 * 60_000;
/** Longer than a look takes: while one is under way nobody else looks. */
const LEASE_MS = 60_000;

/** Matters that wait for somebody to look at them. */
export interface Waiting {
  /** With `account_id`, `livemode`, `id` and `next_check_at`, by the clock of the account. */
  readonly table: string;
  /** Does what a matter is due for; says when it is due next, or that it never is. `now`: by the account's clock. */
  readonly look: (key: Key, now: Date) => Promise<unknown>;
  /**
   * SQL of what people want to see by state: kind and status of the rows `w` that wait. Those that ended may wait for a
   * last look.
   */
  readonly states?: { readonly kind: string; readonly status: string; readonly join?: string };
}

/**
 * A look at a matter. Only those that are due count: ten callbacks within a minute neither put the next question off
 * for hours nor call a person.
 */
export interface Look {
  /** By the account's clock. */
  readonly now: Date;
  /** 1: it was due; 0: somebody told of it, or asked. */
  readonly counts: 0 | 1;
}

interface Due extends Key {
  readonly at: Date;
}

/** What a job carries: ids, and the time that it is for: a job for another time is out of date. */
interface Alarm extends Key {
  readonly table: string;
  /** `next_check_at`, as milliseconds. */
  readonly at: number;
}

const LONGEST = 'ORDER BY w.next_check_at LIMIT $2';

/**
 * Rows of a table that are due by the clock of their account, the longest first. `$1`: of this account only, `$2`: at
 * most so many. By real time, and of each test clock that is ahead what is due by it alone: what only waits is not
 * read, however much it is. What moves to another cell cannot be changed, and would stand in the way of the others.
 */
export const selectDue = (table: string): string => `
  SELECT account_id AS "accountId", livemode, id, next_check_at AS "at" FROM (
    (SELECT w.account_id, w.livemode, w.id, w.next_check_at FROM ${table} w
      WHERE w.next_check_at <= now() AND ($1::uuid IS NULL OR w.account_id = $1) AND NOT ${isFenced('w.account_id')}
      ${LONGEST})
    UNION ALL
    (SELECT w.account_id, w.livemode, w.id, w.next_check_at FROM test_clocks c JOIN ${table} w
         ON w.account_id = c.account_id AND NOT w.livemode AND w.next_check_at > now()
        AND w.next_check_at <= now() + c.offset_ms * interval '1 millisecond'
      WHERE c.offset_ms > 0 AND ($1::uuid IS NULL OR c.account_id = $1) AND NOT ${isFenced('c.account_id')}
      ${LONGEST})) w
   ${LONGEST}`;

/** Rows of a table that are counted for metrics. */
const COUNTED_MAX = 20_000;

const countStates = ({ table, states }: Waiting): string => `
  SELECT ${states!.kind} AS kind, ${states!.status} AS status, w.livemode, count(*)::integer AS count
    FROM (SELECT * FROM ${table} WHERE next_check_at IS NOT NULL LIMIT ${COUNTED_MAX}) w ${states!.join ?? ''}
   GROUP BY 1, 2, 3`;

/** Also of rows that wait for the clock of a test account: those are never late by ours. */
const countOverdue = ({ table }: Waiting): string => `
  SELECT '${table}' AS "table", count(*)::integer AS count,
         coalesce(extract(epoch FROM now() - min(w.next_check_at)), 0)::float8 AS seconds
    FROM (SELECT next_check_at FROM ${table} WHERE next_check_at <= now() ORDER BY next_check_at
           LIMIT ${COUNTED_MAX}) w`;

const provideFigures = sampledGauges({
  orders_under_way: {
    help: 'Purchases, payments and refunds that somebody is yet to ask about, by state.',
    labelNames: ['kind', 'status', 'livemode'],
  },
  requeries_overdue: { help: 'Rows of a table that are due to be looked at.', labelNames: ['table'] },
  requeries_overdue_seconds: { help: 'How long the first of them has been due.', labelNames: ['table'] },
});

const lease = (table: string): string => `
  UPDATE ${table} SET next_check_at = $5
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND next_check_at = $4 RETURNING id`;

/**
 * Has matters looked at when they are due: woken by their alarm, by a clock that was moved, or by the sweep, which
 * finds those whose job was lost. The truth is `next_check_at`. One looker at a time has a matter.
 */
@Processor(REQUERIES_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class Requeries extends WorkerHost {
  private readonly log = new Logger('requeries');
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly wakers: Wakers,
    @InjectQueue(REQUERIES_QUEUE) private readonly queue: Queue<Alarm>,
    private readonly metrics: MetricReads,
  ) {
    super();
    provideFigures(() => this.figures());
  }

  /** Called once by each module for each table whose rows wait. */
  include(waiting: Waiting): void {
    this.waiting.set(waiting.table, waiting);
    this.wakers.include((accountId) => this.wake(waiting, accountId));
  }

  /** Of the alarm. */
  async process({ data: { table, at, ...key } }: Job<Alarm>): Promise<void> {
    const waiting = this.waiting.get(table);
    if (waiting) await this.lookWhenDue(waiting, { ...key, at: new Date(at) });
  }

  @Recurring({ name: 'requeries.sweep', everyMs: SWEEP_MS })
  async sweep(): Promise<void> {
    for (const { table } of this.waiting.values()) {
      const due: Due[] = await this.dataSource.query(selectDue(table), [null, CHUNK]);
      await this.setAlarms(table, ...due.map(({ at, ...key }) => ({ ...key, nextCheckAt: at })));
    }
  }

  /** Sets alarms for rows of a table. A job that is lost is made again by the sweep. */
  async setAlarms(table: string, ...rows: readonly (Key & { readonly nextCheckAt: Date | null })[]): Promise<void> {
    const jobs = await Promise.all(rows.map((row) => this.alarmOf(table, row)));
    try {
      await this.queue.addBulk(jobs.filter((job) => job !== null));
    } catch (error) {
      this.log.warn({ message: 'requeries could not be queued; the sweep will', err: error });
    }
  }

  private async figures() {
    const all = [...this.waiting.values()];
    const [overdue, states] = await Promise.all([
      this.metrics.rows<{ table: string; count: number; seconds: number }>(all.map(countOverdue).join(' UNION ALL ')),
      this.metrics.rows<{ kind: string; status: string; livemode: boolean; count: number }>(
        all
          .filter((waiting) => waiting.states)
          .map(countStates)
          .join(' UNION ALL '),
      ),
    ]);
    const late = (figure: 'count' | 'seconds'): Sample[] =>
      overdue.map(({ table, [figure]: value }) => ({ labels: { table }, value }));
    return {
      orders_under_way: states.map(({ kind, status, livemode, count }) => ({
        labels: { kind, status, livemode: String(livemode) },
        value: count,
      })),
      requeries_overdue: late('count'),
      requeries_overdue_seconds: late('seconds'),
    };
  }

  /**
   * Looks at all that is due by an account's clock, and answers when nothing is left: also not what an alarm has a
   * worker look at meanwhile.
   */
  private async wake(waiting: Waiting, accountId: string): Promise<void> {
    let waits = 0;
    const mustWait = async () => waits < WAITS_MAX && (await this.isLookedAt(waiting, accountId));
    for (let round = 0; round < ROUNDS_MAX; round++) {
      // What a worker was told before the clock moved comes first: its lease is over by the new time.
      for (; await mustWait(); waits++) await sleep(OTHERS_MS);
      const due: Due[] = await this.dataSource.query(selectDue(waiting.table), [accountId, CHUNK]);
      if (due.length === 0 && !(await mustWait())) return;
      await forEach(due, PARALLEL, (row) => this.lookWhenDue(waiting, row));
    }
  }

  /** Whether a worker, here or elsewhere, is at a matter of the account. */
  private async isLookedAt({ table }: Waiting, accountId: string): Promise<boolean> {
    try {
      const jobs = await this.queue.getActive();
      return jobs.some(({ data }) => data.table === table && data.accountId === accountId);
    } catch (error) {
      this.log.warn({ message: 'who looks at what is not known', err: error });
      return false;
    }
  }

  /** Nothing when it is not due any more, or somebody else looks. A failure is logged: it is due again. */
  private async lookWhenDue({ table, look }: Waiting, { at, ...key }: Due): Promise<void> {
    try {
      const now = await this.clock.now(key);
      if (await this.lease(table, { ...key, at }, now)) await look(key, now);
    } catch (error) {
      this.log.error({ message: 'what is due could not be looked at', table, id: key.id, err: error });
    }
  }

  /** Takes what is due for one looker: nobody else does until the lease ends. */
  private async lease(table: string, { accountId, livemode, id, at }: Due, now: Date): Promise<boolean> {
    const until = new Date(now.getTime() + LEASE_MS);
    const [, taken]: [unknown, number] = await this.dataSource.query(lease(table), [
      accountId,
      livemode,
      id,
      at,
      until,
    ]);
    return taken === 1;
  }

  private async alarmOf(
    table: string,
    { accountId, livemode, id, nextCheckAt }: Key & { readonly nextCheckAt: Date | null },
  ) {
    if (nextCheckAt === null) return null;
    const at = nextCheckAt.getTime();
    const delay = Math.max(0, at - (await this.clock.now({ accountId, livemode })).getTime());
    if (delay > NEAR_MS) return null;
    return {
      name: 'check',
      data: { table, accountId, livemode, id, at },
      // A job that stayed would keep its id, and with it the sweep from making the job again.
      opts: { delay, jobId: `${id}_${at}`, removeOnComplete: true, removeOnFail: true },
    };
  }
}

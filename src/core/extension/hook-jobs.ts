import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DelayedError, type Job, type Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { isFenced } from '../cells/slot-moves';
import { bulkInsert, type Write } from '../database/bulk';
import { WORKER_OPTIONS } from '../queue/queue-options';
import { Recurring } from '../queue/recurring-jobs';
import { ExtensionRegistry, frozenCopy, type Handler, HandlerFault, invoke } from './extension-registry';
import { PointRunner } from './point-runner';
import type { AfterPayment, PaymentObject, Refusal } from './points';

export const HOOKS_QUEUE = 'hooks';

/** What a job carries: which row, and which of its tries. */
export interface HookJob {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly eventId: string;
  /** Id of the observer. */
  readonly handler: string;
  /** Tries before this one. */
  readonly attempts: number;
}

const SWEEP_MS = 5_000;
const ROWS_MAX = 1_000;
/** Longer than a row of this process may be on its way into the database. */
const RECENT_MS = 10_000;
/** A job that nobody took up by then is lost, and made again. */
const QUEUED_SECONDS = 30;

const insertJob = bulkInsert('hook_jobs', {
  account_id: 'uuid',
  livemode: 'boolean',
  event_id: 'uuid',
  handler: 'text',
  event_type: 'text',
  operation: 'text',
  object_type: 'text',
  object_id: 'uuid',
  request_id: 'uuid?',
  causes: 'jsonb',
});

/** An open note that is due becomes one to be told: from here on its payment cannot be made. */
const TAKE_DUE = `
  UPDATE hook_jobs j SET status = 'waiting', due_at = now() + make_interval(secs => $1)
    FROM (SELECT account_id, livemode, event_id, handler FROM hook_jobs
           WHERE due_at <= now() AND NOT ${isFenced('account_id')} ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) d
   WHERE j.account_id = d.account_id AND j.livemode = d.livemode AND j.event_id = d.event_id AND j.handler = d.handler
  RETURNING j.account_id AS "accountId", j.livemode, j.event_id AS "eventId", j.handler, j.attempts`;

/**
 * The work of `svc_after_payment` and `svc_payment_refused`: a row per payment and observer, written with the payment,
 * or before its gates are asked; the queue only says which are due.
 */
@Injectable()
export class HookJobs implements BeforeApplicationShutdown {
  private readonly log = new Logger('extensions');
  private sweeping: Promise<void> | null = null;
  private isWanted = false;
  private rowsMadeAt = -Infinity;

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly dataSource: DataSource,
    @InjectQueue(HOOKS_QUEUE) private readonly queue: Queue<HookJob>,
  ) {}

  rows(
    event: Write,
    { operation, accountId, livemode, objectType, objectId }: PaymentObject,
    causes: readonly string[],
  ): Write[] {
    const { id, type, request_id } = event.row as { id: string; type: string; request_id: string | null };
    const observers = this.registry
      .of('svc_after_payment', operation)
      .filter((handler) => !causes.includes(handler.id));
    if (observers.length > 0) this.rowsMadeAt = performance.now();
    return observers.map((observer) =>
      insertJob.row({
        account_id: accountId,
        livemode,
        event_id: id,
        handler: observer.id,
        event_type: type,
        operation,
        object_type: objectType,
        object_id: objectId,
        request_id,
        causes,
      }),
    );
  }

  /** A sweep now, if this process made rows; one for all who ask while it is under way. */
  wake({ madeNow = false } = {}): void {
    if (madeNow) this.rowsMadeAt = performance.now();
    if (performance.now() - this.rowsMadeAt > RECENT_MS) return;
    this.isWanted = true;
    this.sweeping ??= this.sweepAll().finally(() => (this.sweeping = null));
  }

  /** Queues what is due: new rows, retries, and rows whose job was lost with the process or the queue that had it. */
  @Recurring({ name: 'extensions.sweep', everyMs: SWEEP_MS })
  async sweep(): Promise<void> {
    if (this.isIdle) return;
    // The next one goes on. There may be no end of it: what waits in the queue for long is due again.
    const until = performance.now() + SWEEP_MS;
    while ((await this.queueDue()) === ROWS_MAX && performance.now() < until);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeping;
  }

  private get isIdle(): boolean {
    return this.registry.of('svc_after_payment').length + this.registry.of('svc_payment_refused').length === 0;
  }

  private async sweepAll(): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.sweep();
      }
    } catch (error) {
      this.log.warn({ message: 'observers of payments could not be woken; the sweeper will do it', err: error });
    }
  }

  private async queueDue(): Promise<number> {
    const [due]: [HookJob[], number] = await this.dataSource.query(TAKE_DUE, [QUEUED_SECONDS, ROWS_MAX]);
    const jobs = due.map((data) => ({
      name: data.handler,
      data,
      // A repetition of a job that still waits is no second one.
      opts: { jobId: `${data.eventId}_${data.handler}_${data.attempts}`, removeOnComplete: true, removeOnFail: true },
    }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return due.length;
  }
}

/** Observers mostly wait for others. */
const CONCURRENCY = 32;
/** Of one observer in one mode, so that a slow one leaves room for others. */
const PLACES = CONCURRENCY / 4;
const NOT_KNOWN_MS = 100;
const SMOOTHING = 0.2;
const WAIT_MIN_MS = 20;
/** Shorter than until a row that waits in the queue is due again. */
const WAIT_MAX_MS = 20_000;
/** Between the tries; after the last one the row is given up. */
const BACKOFF_SECONDS = [5, 60, 600, 3_600, 21_600] as const;
const TRIES_MAX = BACKOFF_SECONDS.length + 1;
/** Beside the handler's own time-out: after it, whoever had the row must be gone. */
const MARGIN_SECONDS = 10;

interface ClaimedRow extends Omit<AfterPayment, 'accountId' | 'livemode' | 'eventId' | 'type'> {
  /** Null for a payment that was refused. */
  readonly type: AfterPayment['type'] | null;
  readonly refusal: Refusal | null;
  readonly causes: readonly string[];
}

const KEY = 'account_id = $1 AND livemode = $2 AND event_id = $3 AND handler = $4';

const CLAIM = `
  UPDATE hook_jobs SET attempts = attempts + 1, due_at = now() + make_interval(secs => $6)
   WHERE ${KEY} AND attempts = $5 AND status = 'waiting'
  RETURNING event_type AS type, operation, object_type AS "objectType", object_id AS "objectId",
    request_id AS "requestId", refusal, causes, attempts AS attempt`;

const END = `
  UPDATE hook_jobs SET status = $6, due_at = now() + make_interval(secs => $7)
   WHERE ${KEY} AND attempts = $5`;

/** What this process knows of the tries of one observer in one mode. */
class Lane {
  private running = 0;
  /** Mean time of a try. */
  private meanMs = NOT_KNOWN_MS;
  /** When the last of those that were sent away may come again. */
  private lastWaitUntil = 0;

  /** 0: it is done; else milliseconds after which to come again, one after the other as places become free. */
  async run(work: () => Promise<void>): Promise<number> {
    const begun = performance.now();
    if (this.running >= PLACES) {
      const next = Math.max(this.lastWaitUntil, begun + WAIT_MIN_MS) + this.meanMs / PLACES;
      this.lastWaitUntil = Math.min(next, begun + WAIT_MAX_MS);
      return Math.ceil(this.lastWaitUntil - begun);
    }
    this.running++;
    try {
      await work();
      return 0;
    } finally {
      this.running--;
      this.meanMs += SMOOTHING * (performance.now() - begun - this.meanMs);
    }
  }
}

/** Carries out the jobs of `HookJobs`: at least once each, until it succeeds or was tried often enough. */
@Processor(HOOKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class HookRuns extends WorkerHost {
  private readonly log = new Logger('extensions');
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly dataSource: DataSource,
    private readonly points: PointRunner,
  ) {
    super();
  }

  async process(job: Job<HookJob>, token?: string): Promise<void> {
    const waitMs = await this.laneOf(job.data).run(() => this.run(job.data));
    if (waitMs === 0) return;
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new DelayedError();
  }

  async run(job: HookJob): Promise<void> {
    const handler = this.registry.all.find(({ id }) => id === job.handler);
    const row = await this.claim(job, handler);
    // Somebody else has it, or it is done.
    if (row === undefined) return;
    const fault = await this.tell(handler, job, row);
    await this.end(job, row.attempt, fault === null ? 'done' : 'waiting');
    if (fault !== null) this.report(handler, fault, { job, row });
  }

  private laneOf({ handler, livemode }: HookJob): Lane {
    const key = `${handler}:${livemode}`;
    const lane = this.lanes.get(key) ?? new Lane();
    this.lanes.set(key, lane);
    return lane;
  }

  private async claim(
    { accountId, livemode, eventId, handler: id, attempts }: HookJob,
    handler: Handler | undefined,
  ): Promise<ClaimedRow | undefined> {
    const seconds = (handler?.timeoutMs ?? 0) / 1_000 + MARGIN_SECONDS;
    const [rows]: [ClaimedRow[], number] = await this.dataSource.query(CLAIM, [
      accountId,
      livemode,
      eventId,
      id,
      attempts,
      seconds,
    ]);
    return rows[0];
  }

  private async tell(
    handler: Handler | undefined,
    { accountId, livemode, eventId }: HookJob,
    { causes, type, refusal, ...row }: ClaimedRow,
  ): Promise<HandlerFault | null> {
    // Also in a rolling deployment, where a process of the other release may have it.
    if (handler?.point !== (refusal === null ? 'svc_after_payment' : 'svc_payment_refused'))
      return new HandlerFault('threw', 'this process has no such observer');
    if (row.attempt > TRIES_MAX) return new HandlerFault('timed_out', 'the process ended during its last try');
    const context = { ...row, accountId, livemode, eventId, ...(refusal ?? { type }) };
    const { fault = null } = await invoke({ handler, args: [frozenCopy(context)], causes: [...causes, handler.id] });
    return fault;
  }

  private async end(
    { accountId, livemode, eventId, handler }: HookJob,
    attempt: number,
    status: 'done' | 'waiting',
  ): Promise<void> {
    const backoff = BACKOFF_SECONDS[attempt - 1];
    const isOver = status === 'done' || backoff === undefined;
    const how = status === 'waiting' && backoff === undefined ? 'given_up' : status;
    await this.dataSource.query(END, [accountId, livemode, eventId, handler, attempt, how, isOver ? null : backoff]);
  }

  private report(
    handler: Handler | undefined,
    fault: HandlerFault,
    { job, row }: { job: HookJob; row: ClaimedRow },
  ): void {
    const { accountId, livemode, eventId, handler: extension } = job;
    if (handler === undefined) {
      this.log.warn({ message: fault.message, extension, event: eventId });
      return;
    }
    const { operation, objectType, objectId, requestId, attempt } = row;
    const end =
      attempt < TRIES_MAX ? {} : { code: 'given_up', message: `given up after ${attempt} tries: ${fault.message}` };
    const about = { operation, accountId, livemode, objectType, objectId, requestId };
    this.points.failed(handler, fault, about, end);
  }
}

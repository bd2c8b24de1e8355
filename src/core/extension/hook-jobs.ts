import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DelayedError, type Job, type Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { isFenced } from '../cells/slot-moves';
import { bulkInsert, type Write } from '../database/bulk';
import { waitUpTo, WorkUnderWay } from '../process/work-under-way';
import { WORKER_OPTIONS } from '../queue/queue-options';
import { Recurring } from '../queue/recurring-jobs';
import { ExtensionRegistry, frozenCopy, type Handler, HandlerFault, invoke } from './extension-registry';
import { PointRunner } from './point-runner';
import type { AfterPayment, PaymentObject, Refusal } from './points';

export const HOOKS_QUEUE = 'hooks';

/** What a job carries: an observer that something is due for, in one mode. What it is, whoever takes the job reads. */
export interface HookJob {
  /** Id of the observer. */
  readonly handler: string;
  readonly livemode: boolean;
}

const SWEEP_MS = 5_000;
/** So many sweeps one after the other make jobs of their own: in that time a job is taken from a dead worker. */
const SWEEPS_APART = 4;
/** Longer than a row of this process may be on its way into the database. */
const RECENT_MS = 10_000;

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

const NEXT_WAITING = 'SELECT j.handler, j.livemode FROM hook_jobs j WHERE j.due_at IS NOT NULL';
const IN_ORDER = 'ORDER BY j.handler, j.livemode LIMIT 1';

/** From one observer to the next by their index, however much each of them is still to be told. */
const SELECT_DUE = `
  WITH RECURSIVE waiting AS (
    (${NEXT_WAITING} ${IN_ORDER})
    UNION ALL
    SELECT next.* FROM waiting w CROSS JOIN LATERAL (
      ${NEXT_WAITING} AND (j.handler, j.livemode) > (w.handler, w.livemode) ${IN_ORDER}) next
  )
  SELECT handler, livemode FROM waiting w
   WHERE EXISTS (SELECT 1 FROM hook_jobs j
                  WHERE j.handler = w.handler AND j.livemode = w.livemode AND j.due_at <= now())`;

/**
 * The work of `svc_after_payment` and `svc_payment_refused`: a row per payment and observer, written with the payment,
 * or before its gates are asked. Of an observer one job waits, however many rows there are: the queue only says that
 * something is due.
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

  /** Wakes who has something due: new rows, retries, and rows whose job was lost with the process or the queue. */
  @Recurring({ name: 'extensions.sweep', everyMs: SWEEP_MS })
  async sweep(): Promise<void> {
    const turn = Math.floor(Date.now() / SWEEP_MS) % SWEEPS_APART;
    if (!this.isIdle) await this.queueDue(`_swept${turn}`);
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
        if (!this.isIdle) await this.queueDue();
      }
    } catch (error) {
      this.log.warn({ message: 'observers of payments could not be woken; the sweeper will do it', err: error });
    }
  }

  /**
   * One that comes while its observer's is worked on is kept for afterwards: its row may have been written when its
   * predecessor had looked. `apart`: beside those that were made before, for whoever has them may have died.
   */
  private async queueDue(apart = ''): Promise<void> {
    const due: HookJob[] = await this.dataSource.query(SELECT_DUE);
    const jobs = due.map((data) => ({
      name: data.handler,
      data,
      opts: {
        deduplication: { id: `${data.handler}_${data.livemode}${apart}`, keepLastIfActive: true },
        removeOnComplete: true,
        removeOnFail: true,
      },
    }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
  }
}

/** Observers that are told at a time. */
const CONCURRENCY = 32;
/** Tries of one observer at a time, in one mode. */
const PLACES = 8;
/** After so long a job lets others have their turn. */
const RUN_MAX_MS = 2_000;
const AGAIN_MS = 1;
/** Between the tries; after the last one the row is given up. */
const BACKOFF_SECONDS = [5, 60, 600, 3_600, 21_600] as const;
const TRIES_MAX = BACKOFF_SECONDS.length + 1;
/** Beside the handler's own time-out: after it, whoever had the row must be gone. */
const MARGIN_SECONDS = 10;

interface ClaimedRow extends Omit<AfterPayment, 'type'> {
  /** Null for a payment that was refused. */
  readonly type: AfterPayment['type'] | null;
  readonly refusal: Refusal | null;
  readonly causes: readonly string[];
}

/** An open note that is due becomes one to be told: from here on its payment cannot be made. */
const CLAIM = `
  UPDATE hook_jobs j SET status = 'waiting', attempts = attempts + 1, due_at = now() + make_interval(secs => $4)
    FROM (SELECT account_id, livemode, event_id, handler FROM hook_jobs
           WHERE handler = $1 AND livemode = $2 AND due_at <= now() AND NOT ${isFenced('account_id')}
           ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) d
   WHERE j.account_id = d.account_id AND j.livemode = d.livemode AND j.event_id = d.event_id AND j.handler = d.handler
  RETURNING j.account_id AS "accountId", j.livemode, j.event_id AS "eventId", j.event_type AS type, j.operation,
    j.object_type AS "objectType", j.object_id AS "objectId", j.request_id AS "requestId", j.refusal, j.causes,
    j.attempts AS attempt`;

const END = `
  UPDATE hook_jobs SET status = $6, due_at = now() + make_interval(secs => $7)
   WHERE account_id = $1 AND livemode = $2 AND event_id = $3 AND handler = $4 AND attempts = $5`;

/** What this process does for one observer in one mode. */
interface Lane {
  readonly tries: Set<Promise<void>>;
  isServed: boolean;
  /** While it looked, somebody else was woken up for the same. */
  isAskedAgain: boolean;
}

/** Carries out the jobs of `HookJobs`: tells each row at least once, until that succeeds or was tried often enough. */
@Processor(HOOKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class HookRuns extends WorkerHost implements BeforeApplicationShutdown {
  private readonly log = new Logger('extensions');
  private readonly lanes = new Map<string, Lane>();
  /** Whoever is slow has its job end meanwhile. */
  private readonly underWay = new WorkUnderWay();
  private isStopping = false;

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly dataSource: DataSource,
    private readonly points: PointRunner,
  ) {
    super();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.underWay.end();
  }

  async process(job: Job<HookJob>, token?: string): Promise<void> {
    if (await this.run(job.data)) return;
    await job.moveToDelayed(Date.now() + AGAIN_MS, token);
    throw new DelayedError();
  }

  /** Whether nothing is left to begin. */
  async run(job: HookJob): Promise<boolean> {
    const lane = this.laneOf(job);
    lane.isAskedAgain = true;
    if (lane.isServed) return true;
    lane.isServed = true;
    try {
      return await this.underWay.add(this.drain(job, lane));
    } finally {
      lane.isServed = false;
    }
  }

  private async drain(job: HookJob, lane: Lane): Promise<boolean> {
    const handler = this.registry.all.find(({ id }) => id === job.handler);
    for (const until = performance.now() + RUN_MAX_MS; performance.now() < until && !this.isStopping;) {
      const places = PLACES - lane.tries.size;
      if (places === 0) {
        await waitUpTo(RUN_MAX_MS, Promise.race(lane.tries));
        continue;
      }
      lane.isAskedAgain = false;
      const rows = await this.claim(job, places, handler);
      for (const row of rows) {
        const work = this.underWay.add(this.carryOut(job, row, handler)).finally(() => lane.tries.delete(work));
        lane.tries.add(work);
      }
      if (rows.length < places && !lane.isAskedAgain) return true;
    }
    return false;
  }

  private laneOf({ handler, livemode }: HookJob): Lane {
    const key = `${handler}:${livemode}`;
    const lane = this.lanes.get(key) ?? { tries: new Set(), isServed: false, isAskedAgain: false };
    this.lanes.set(key, lane);
    return lane;
  }

  private async claim(job: HookJob, places: number, handler: Handler | undefined): Promise<ClaimedRow[]> {
    const seconds = (handler?.timeoutMs ?? 0) / 1_000 + MARGIN_SECONDS;
    const [rows]: [ClaimedRow[], number] = await this.dataSource.query(CLAIM, [
      job.handler,
      job.livemode,
      places,
      seconds,
    ]);
    return rows;
  }

  /** What could not be noted is told again when its time is over. */
  private async carryOut(
    { handler: extension }: HookJob,
    row: ClaimedRow,
    handler: Handler | undefined,
  ): Promise<void> {
    try {
      const fault = await this.tell(handler, row);
      await this.end(extension, row, fault === null ? 'done' : 'waiting');
      if (fault !== null) this.report(extension, handler, fault, row);
    } catch (error) {
      this.log.error({ message: 'what an observer did could not be noted', extension, event: row.eventId, err: error });
    }
  }

  private async tell(
    handler: Handler | undefined,
    { causes, type, refusal, ...row }: ClaimedRow,
  ): Promise<HandlerFault | null> {
    // Also in a rolling deployment, where a process of the other release may have it.
    if (handler?.point !== (refusal === null ? 'svc_after_payment' : 'svc_payment_refused'))
      return new HandlerFault('threw', 'this process has no such observer');
    if (row.attempt > TRIES_MAX) return new HandlerFault('timed_out', 'the process ended during its last try');
    const context = { ...row, ...(refusal ?? { type }) };
    const { fault = null } = await invoke({ handler, args: [frozenCopy(context)], causes: [...causes, handler.id] });
    return fault;
  }

  private async end(
    handler: string,
    { accountId, livemode, eventId, attempt }: ClaimedRow,
    status: 'done' | 'waiting',
  ): Promise<void> {
    const backoff = BACKOFF_SECONDS[attempt - 1];
    const isOver = status === 'done' || backoff === undefined;
    const how = status === 'waiting' && backoff === undefined ? 'given_up' : status;
    await this.dataSource.query(END, [accountId, livemode, eventId, handler, attempt, how, isOver ? null : backoff]);
  }

  private report(extension: string, handler: Handler | undefined, fault: HandlerFault, row: ClaimedRow): void {
    const { accountId, livemode, eventId, operation, objectType, objectId, requestId, attempt } = row;
    if (handler === undefined) {
      this.log.warn({ message: fault.message, extension, event: eventId });
      return;
    }
    const end =
      attempt < TRIES_MAX ? {} : { code: 'given_up', message: `given up after ${attempt} tries: ${fault.message}` };
    const about = { operation, accountId, livemode, objectType, objectId, requestId };
    this.points.failed(handler, fault, about, end);
  }
}

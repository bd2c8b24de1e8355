import { InjectQueue } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { bulkInsert, type Write } from '../database/bulk';
import { Recurring } from '../queue/recurring';
import { ExtensionRegistry } from './extension-registry';
import type { PaymentObject } from './points';

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
           WHERE due_at <= now() ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) d
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
    while ((await this.queueDue()) === ROWS_MAX);
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

import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import { WORKER_OPTIONS } from '../queue/queue-options';
import { ExtensionRegistry, type Handler } from './extension-registry';
import { type HookJob, HOOKS_QUEUE } from './hook-jobs';
import { frozenCopy, HandlerFault, invoke } from './invoke';
import { Observers } from './observers';
import type { AfterPayment, Refusal } from './points';

/** Observers mostly wait for others. */
const CONCURRENCY = 16;
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

/** Carries out the jobs of `HookJobs`: at least once each, until it succeeds or was tried often enough. */
@Processor(HOOKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class HookRuns extends WorkerHost {
  private readonly log = new Logger('extensions');

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly dataSource: DataSource,
    private readonly observers: Observers,
  ) {
    super();
  }

  process({ data }: Job<HookJob>): Promise<void> {
    return this.run(data);
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
    this.observers.failed(handler, fault, about, end);
  }
}

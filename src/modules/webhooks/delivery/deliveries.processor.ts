import { setTimeout as sleep } from 'node:timers/promises';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { Counter, Histogram } from 'prom-client';
import { isDatabaseAway } from '../../../core/database/unit-of-work';
import { encodeId, timeOf } from '../../../core/http/ids';
import { registry } from '../../../core/metrics/metrics';
import { tracing } from '../../../core/tracing/tracing';
import { waitUpTo, WorkUnderWay } from '../../../core/process/work-under-way';
import { WORKER_OPTIONS } from '../../../core/queue/queue-options';
import { EndpointSecretsService, newKey } from '../endpoint-secrets.service';
import { EventsService } from '../events/events.service';
import { type DeliveryJob, LIVE_QUEUE, TEST_QUEUE } from './delivery-queue.service';
import { type Claimed, DeliveryRecords } from './delivery-records.service';
import { DeliverySlots, QUICK_MS } from './delivery-slots.service';
import { outcomeOf } from './outcome';
import { type Attempted, type Message, WebhookSender } from './webhook-sender.service';

const attemptsTotal = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver an event by what came of them (`code`) and what that made of the delivery (`status`).',
  labelNames: ['livemode', 'code', 'status'],
  registers: [registry],
});

const firstSeconds = new Histogram({
  name: 'webhook_first_attempt_seconds',
  help: 'Time from an event to the start of its first attempt.',
  labelNames: ['livemode'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
  registers: [registry],
});

const NOT_MADE: Attempted = {
  code: 'not_made',
  httpStatus: null,
  durationMs: 0,
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null,
  retryAfterSeconds: null,
  control: null,
};

/** After so long a job lets others have their turn. */
const RUN_MAX_MS = 2_000;
const AGAIN_MS = 1;
/** Most endpoints are owed little: places that are kept for more would be missed by others meanwhile. */
const FIRST_WANTED = 2;
const FROM_THE_BEGINNING = new Date(0);

/** Work on what is due to an endpoint, of which this process has one. */
interface Run {
  /** While it looked, somebody else was woken up for the same endpoint. */
  isAskedAgain: boolean;
}

/** Carries out jobs: takes what is due to an endpoint as its places become free. */
@Injectable()
export class DeliveryRuns implements BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  /** Attempts, and runs that may begin some: an endpoint that is slow to answer has its job put off meanwhile. */
  private readonly underWay = new WorkUnderWay();
  /** By their endpoints. */
  private readonly serving = new Map<string, Run>();
  private isStopping = false;

  constructor(
    private readonly slots: DeliverySlots,
    private readonly records: DeliveryRecords,
    private readonly events: EventsService,
    private readonly secrets: EndpointSecretsService,
    private readonly sender: WebhookSender,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.underWay.end();
  }

  /** 0 when nothing is left to begin; else milliseconds after which the job should come again. */
  async run(job: DeliveryJob): Promise<number> {
    const other = this.serving.get(job.endpointId);
    // It looks again: what this job is about may have been written when it had looked.
    if (other !== undefined) {
      other.isAskedAgain = true;
      return 0;
    }
    const work = this.drain(job);
    void this.underWay.add(work.then(nothing, nothing));
    return work;
  }

  private async drain(job: DeliveryJob): Promise<number> {
    const run: Run = { isAskedAgain: false };
    this.serving.set(job.endpointId, run);
    try {
      let [since, wanted] = [FROM_THE_BEGINNING, FIRST_WANTED];
      for (const until = performance.now() + RUN_MAX_MS; performance.now() < until && !this.isStopping;) {
        const { places, waitMs } = this.slots.take(job, wanted);
        if (places === 0 && waitMs > QUICK_MS) return waitMs;
        if (places === 0) {
          await sleep(waitMs);
          continue;
        }
        // What was claimed early may lie behind what somebody was woken up for meanwhile.
        if (run.isAskedAgain) since = FROM_THE_BEGINNING;
        run.isAskedAgain = false;
        const claimed = await this.claim(job, { places, since });
        for (const each of claimed) void this.underWay.add(this.carryOut(job, each));
        since = claimed.at(-1)?.dueAt ?? since;
        if (claimed.length < places && !run.isAskedAgain) return 0;
        wanted = 2 * places;
        await waitUpTo(QUICK_MS, this.slots.room(job));
      }
      return AGAIN_MS;
    } finally {
      this.serving.delete(job.endpointId);
    }
  }

  private async claim(job: DeliveryJob, wanted: { places: number; since: Date }): Promise<Claimed[]> {
    let claimed: Claimed[] = [];
    try {
      claimed = await this.records.claim({ ...job, ...wanted });
    } finally {
      this.slots.giveBack(job, wanted.places - claimed.length);
    }
    for (const each of claimed.slice(0, 1)) this.slots.learn(job.endpointId, each);
    return claimed;
  }

  /** What could not be attempted is claimed again once its lease has ended. */
  private async carryOut(job: DeliveryJob, claimed: Claimed): Promise<void> {
    try {
      const present = presentOf(claimed);
      const attempted = await this.attempt(job, claimed);
      const at = present();
      const outcome =
        attempted === null
          ? ({ status: 'disabled', nextAttemptAt: null } as const)
          : outcomeOf(attempted, claimed.attempts + 1, at, !claimed.isReplay);
      await this.records.record({ claimed, attempted, at, ...outcome });
      if (attempted !== null)
        attemptsTotal.inc({ livemode: String(claimed.livemode), code: attempted.code, status: outcome.status });
    } catch (error) {
      this.log.error({ message: 'a delivery could not be attempted', delivery: claimed.id, err: error });
    } finally {
      this.slots.written();
    }
  }

  /** Null: it is not to be made. */
  private async attempt(job: DeliveryJob, claimed: Claimed): Promise<Attempted | null> {
    let attempted: Attempted | null = null;
    try {
      if (isOff(claimed)) return null;
      if (claimed.attempts === 0 && !claimed.isReplay)
        firstSeconds.observe(
          { livemode: String(claimed.livemode) },
          Math.max(0, Date.now() - timeOf(claimed.eventId).getTime()) / 1_000,
        );
      attempted = await (tracing.on === null ? this.post(claimed) : this.traced(claimed));
      return attempted;
    } finally {
      this.slots.release(job, attempted);
    }
  }

  /** Part of the trace of the request that the event came from: outbox and queue are waits between its times. */
  private traced(claimed: Claimed): Promise<Attempted> {
    const { requestId, eventId, id, type, attempts, isReplay } = claimed;
    const [happened, planned] = [timeOf(eventId), timeOf(id)];
    const waits = [
      { name: 'outbox', from: happened, to: planned },
      { name: 'webhook queue', from: planned, to: new Date() },
    ];
    const attributes = {
      'duka.event_type': type,
      'duka.event_id': encodeId('evt', eventId),
      'duka.attempt': attempts + 1,
    };
    const later = { name: 'webhook delivery', requestId, attributes, waits: attempts === 0 && !isReplay ? waits : [] };
    return tracing.on!.later(later, () =>
      tracing.on!.run({ name: 'webhook attempt', kind: 'client' }, async (step) => {
        const attempted = await this.post(claimed, step?.traceparent);
        step?.note({
          'duka.code': attempted.code,
          ...(attempted.httpStatus && { 'http.response.status_code': attempted.httpStatus }),
        });
        if (attempted.code !== 'ok') step?.fail(attempted.code);
        return attempted;
      }),
    );
  }

  /** Makes the message and sends it. Throws when the database is away: then it was no attempt. */
  async post(claimed: Claimed, traceparent?: string): Promise<Attempted> {
    const message = await this.messageOf(claimed, traceparent).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      this.log.error({ message: 'a message could not be made', delivery: claimed.id, err: error });
    });
    if (message === undefined) return NOT_MADE;
    // A test endpoint that asked for it hears everything twice; what it says to the second is what counts.
    if (claimed.faults === 'duplicate') await this.sender.send(message, claimed);
    return this.sender.send(message, claimed);
  }

  private async messageOf(claimed: Claimed, traceparent?: string): Promise<Message> {
    const { accountId, livemode, eventId, type, faults, requestId } = claimed;
    const [body, keys] = await Promise.all([
      this.events.bodyOf({ ...claimed, id: eventId }, claimed.includeSecrets),
      this.secrets.signingKeys({ ...claimed, accountId, livemode, id: claimed.endpointId }),
    ]);
    return {
      id: encodeId('evt', eventId),
      type,
      body,
      secrets: faults === 'bad_signature' ? [newKey()] : keys,
      attempt: claimed.attempts + 1,
      headers: this.secrets.headersOf({ headers: claimed.headers, id: claimed.endpointId }),
      traceparent: traceparent ?? (requestId && traceparentOf(requestId, claimed.id)),
    };
  }
}

/** A replay goes to a disabled endpoint too: somebody asked for it. */
const isOff = ({ deletedAt, status, isReplay }: Claimed): boolean =>
  deletedAt !== null || (status === 'disabled' && !isReplay);

/** The present of the account from now on, by the clock of the database, by which the next attempt is due. */
function presentOf({ claimedAt, offsetMs }: Claimed): () => Date {
  const since = performance.now();
  return () => new Date(claimedAt.getTime() + Number(offsetMs) + Math.round(performance.now() - since));
}

/** One trace per request of the partner, one span per delivery. */
function traceparentOf(requestId: string, deliveryId: string): string {
  const hex = (uuid: string) => uuid.replaceAll('-', '');
  return `00-${hex(requestId)}-${hex(deliveryId).slice(16)}-00`;
}

const nothing = (): void => undefined;

/** Endpoints that are served at a time. */
const CONCURRENCY = 100;

/**
 * A job whose worker was killed is found out before the lease of its deliveries ends. A job that is taken for dead
 * while it lives does no harm: the lease keeps a delivery to one worker.
 */
const OPTIONS = { ...WORKER_OPTIONS, lockDuration: 15_000, stalledInterval: 5_000, concurrency: CONCURRENCY };

/** One worker for each mode: tests do not delay live events. */
abstract class DeliveriesProcessor extends WorkerHost {
  private readonly log = new Logger('webhooks');

  constructor(private readonly runs: DeliveryRuns) {
    super();
  }

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const waitMs = await this.run(job.data);
    if (waitMs === 0) return;
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new DelayedError();
  }

  /** A failure is logged, and the sweep makes the job again. */
  private async run(job: DeliveryJob): Promise<number> {
    try {
      return await this.runs.run(job);
    } catch (error) {
      this.log.error({ message: 'deliveries could not be taken', endpoint: job.endpointId, err: error });
      throw error;
    }
  }
}

@Processor(LIVE_QUEUE, OPTIONS)
export class LiveDeliveriesProcessor extends DeliveriesProcessor {
  constructor(runs: DeliveryRuns) {
    super(runs);
  }
}

@Processor(TEST_QUEUE, OPTIONS)
export class TestDeliveriesProcessor extends DeliveriesProcessor {
  constructor(runs: DeliveryRuns) {
    super(runs);
  }
}

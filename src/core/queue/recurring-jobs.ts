import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Job, JobSchedulerJson, Queue } from 'bullmq';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { registry, sampledGauges } from '../metrics/metrics';
import { WORKER_OPTIONS } from './queue-options';

/** Where a method keeps its schedule: shared by all copies of this file that one process may have loaded. */
const RECURRING = Symbol.for('duka:recurring');

interface Schedule {
  /** Unique in the process, `<module>.<verb>`: names the job in logs, metrics and the queue. */
  readonly name: string;
  readonly everyMs: number;
}

type RecurringMethod = TypedPropertyDescriptor<() => Promise<void>>;

/**
 * Runs a method of a provider again and again, in one worker process at a time as a rule. A run may start while the one
 * before still runs, and a run that was cut is repeated: the method sees to it that neither does harm.
 */
export const Recurring =
  (schedule: Schedule) =>
  (_target: object, _name: string | symbol, method: RecurringMethod): void =>
    Reflect.defineMetadata(RECURRING, schedule, method.value!);

interface RecurringJob extends Schedule {
  /** `Class.method`, for messages. */
  readonly place: string;
  run(): Promise<void>;
}

const runs = new Counter({
  name: 'recurring_job_runs_total',
  help: 'Runs of recurring jobs by outcome: `done` or `failed`.',
  labelNames: ['job', 'outcome'],
  registers: [registry],
});

const provideAges = sampledGauges({
  recurring_job_age_seconds: {
    help: 'Time since a recurring job was last done, by whichever process. Missing: never yet.',
    labelNames: ['job'],
  },
  recurring_job_period_seconds: {
    help: 'How often a recurring job is to run: three periods without a run are too many.',
    labelNames: ['job'],
  },
});

const DONE = `
  INSERT INTO recurring_runs (job, finished_at) VALUES ($1, now())
  ON CONFLICT ON CONSTRAINT recurring_runs_pkey DO UPDATE SET finished_at = excluded.finished_at`;
const AGES =
  'SELECT job, extract(epoch FROM now() - finished_at)::float8 AS seconds FROM recurring_runs WHERE job = ANY ($1)';

/** Every `@Recurring` method of the process. Two with one name stop the boot. */
@Injectable()
export class RecurringJobs implements OnModuleInit {
  private readonly log = new Logger('recurring');
  private readonly jobs = new Map<string, RecurringJob>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly dataSource: DataSource,
  ) {
    provideAges(() => this.ages());
  }

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance === null || typeof instance !== 'object') continue;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object))
        this.add(instance as object, name);
    }
  }

  get schedules(): readonly Schedule[] {
    return [...this.jobs.values()];
  }

  /** Runs a job now. A failure is logged and counted, then thrown for the queue to keep; the schedule goes on. */
  async run(name: string): Promise<void> {
    const job = this.jobs.get(name);
    try {
      if (job === undefined) throw new Error(`no method of this process is the recurring job "${name}"`);
      await job.run();
      await this.dataSource.query(DONE, [name]);
      runs.inc({ job: name, outcome: 'done' });
    } catch (error) {
      runs.inc({ job: name, outcome: 'failed' });
      this.log.error({ job: name, err: error });
      throw error;
    }
  }

  private async ages() {
    const rows: { job: string; seconds: number }[] = await this.dataSource.query(AGES, [[...this.jobs.keys()]]);
    return {
      recurring_job_age_seconds: rows.map(({ job, seconds }) => ({ labels: { job }, value: seconds })),
      recurring_job_period_seconds: this.schedules.map(({ name, everyMs }) => ({
        labels: { job: name },
        value: everyMs / 1_000,
      })),
    };
  }

  private add(instance: object, methodName: string): void {
    const method = (instance as Record<string, () => Promise<void>>)[methodName]!;
    const schedule = Reflect.getMetadata(RECURRING, method) as Schedule | undefined;
    if (schedule === undefined) return;
    const place = `${instance.constructor.name}.${methodName}`;
    const twin = this.jobs.get(schedule.name);
    if (twin !== undefined)
      throw new Error(`two recurring jobs are called "${schedule.name}": ${twin.place} and ${place}`);
    this.jobs.set(schedule.name, { ...schedule, place, run: method.bind(instance) });
  }
}

export const RECURRING_QUEUE = 'recurring';

/** More than there are jobs, of which each has one place: a slow one keeps no other waiting. They wait for others. */
const CONCURRENCY = 48;

/** A killed worker takes schedules along whose next job was not made yet: until they are found out, nothing recurs. */
const OPTIONS = { ...WORKER_OPTIONS, concurrency: CONCURRENCY, lockDuration: 10_000, stalledInterval: 5_000 };

/** Takes the jobs that the schedulers put into the queue, and runs the method that each one names. */
@Processor(RECURRING_QUEUE, OPTIONS)
export class RecurringProcessor extends WorkerHost {
  private readonly underWay = new Set<string>();

  constructor(private readonly jobs: RecurringJobs) {
    super();
  }

  /** One that takes longer than its period is not begun beside itself: the next one comes after it. */
  async process({ name }: Job): Promise<void> {
    if (this.underWay.has(name)) return;
    this.underWay.add(name);
    try {
      await this.jobs.run(name);
    } finally {
      this.underWay.delete(name);
    }
  }
}

const CHECK_MS = 2_000;
/**
 * A schedule that is this many periods behind has lost its next job. At least: a check may find one that is just being
 * made.
 */
const LATE_PERIODS = 3;
const LATE_MS_MIN = 2_000;
/** More than the clocks of processes differ by that are set. */
const AHEAD_MS = 10_000;
/** Those that come more seldom are not felt. */
const SPREAD_PERIOD_MS_MAX = 30_000;

/**
 * Where in its period a job begins, of each worker the same. Without one, BullMQ goes by the moment at which a schedule
 * is made, which is the same for all of them: they begin at once, and whoever pays meanwhile waits for all of them.
 */
export function offsetOf({ name, everyMs }: Schedule): number | undefined {
  if (everyMs > SPREAD_PERIOD_MS_MAX) return undefined;
  return 1 + (createHash('sha256').update(name).digest().readUInt32BE() % (everyMs - 1));
}

/**
 * Keeps the queue's schedulers as the code says. Every worker process does this: an unchanged one keeps its next time.
 */
@Injectable()
export class RecurringSchedules {
  private readonly log = new Logger('recurring');
  private isStopping = false;

  constructor(
    private readonly jobs: RecurringJobs,
    @InjectQueue(RECURRING_QUEUE) private readonly queue: Queue,
  ) {}

  /**
   * Until `stop`, again and again: a Redis that is emptied, or comes back without its data, has forgotten the
   * schedules.
   */
  async keep(): Promise<void> {
    for (let isRetired = false; !this.isStopping; await sleep(CHECK_MS, undefined, { ref: false })) {
      try {
        const stored = await this.queue.getJobSchedulers();
        // Once only: while releases change over, a process of the old one must not go on removing what the new one
        // adds.
        if (!isRetired) await this.retire(stored);
        isRetired = true;
        await this.schedule(stored);
      } catch (error) {
        if (!this.isStopping) this.log.warn({ message: 'recurring jobs could not be scheduled', err: error });
      }
    }
  }

  stop(): void {
    this.isStopping = true;
  }

  /** Schedulers that the code no longer has. */
  private async retire(stored: readonly JobSchedulerJson[]): Promise<void> {
    const names = new Set(this.jobs.schedules.map(({ name }) => name));
    for (const { key } of stored) if (!names.has(key)) await this.queue.removeJobScheduler(key);
  }

  /**
   * Schedulers that are missing, changed, or so late that their next job must be lost; those that are to go on later
   * than in a period, as a clock was ahead that has been set right since; and those that begin elsewhere in it.
   */
  private async schedule(stored: readonly JobSchedulerJson[]): Promise<void> {
    for (const schedule of this.jobs.schedules) {
      const { name, everyMs } = schedule;
      const offset = offsetOf(schedule);
      const found = stored.find(({ key }) => key === name);
      const isLost = (found?.next ?? 0) < Date.now() - Math.max(LATE_MS_MIN, LATE_PERIODS * everyMs);
      const isAhead = (found?.next ?? 0) > Date.now() + everyMs + AHEAD_MS;
      // What is new begins at once, and then in its place.
      if (found === undefined && offset !== undefined) await this.queue.add(name, {}, { jobId: `first-${name}` });
      const isElsewhere = found !== undefined && offset !== undefined && found.offset !== offset;
      if (isAhead || isElsewhere) await this.queue.removeJobScheduler(name);
      if (found?.every !== everyMs || isLost || isAhead || isElsewhere)
        await this.queue.upsertJobScheduler(name, { every: everyMs, offset });
    }
  }
}

import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Job, Queue, Worker } from 'bullmq';
import { Counter, Gauge } from 'prom-client';
import { Env } from '../config/env';
import { Readiness } from '../health/readiness';
import { newId } from '../http/ids';
import { provideQueueDepths, registry } from '../metrics/metrics';
import { within } from '../process/work-under-way';
import { RecurringSchedules } from './recurring-jobs';

const replaced = new Counter({
  name: 'queue_workers_replaced_total',
  help: 'Workers of this process that took no jobs, though their queue answered, and were replaced.',
  labelNames: ['queue'],
  registers: [registry],
});

/** A job that does nothing but be taken. */
const CANARY = 'canary';
/** In the time after which a worker counts as deaf. */
const CANARIES = 6;
/** So many times that time, and a worker that was replaced in vain takes its process along. */
const PATIENCE = 2;
const ANSWER_MS = 2_000;
/** More than a clock is set by that is kept right. */
const SET_BACK_MS = 10_000;

/** The clock of the machine, by one that nobody sets. */
const setting = (): number => Date.now() - performance.now();

/** Redis threw away what it is about, and kept its place in the queue: its row, or its schedule, has it made again. */
const isEvicted = ({ name }: Job): boolean => name === undefined;

interface Watched {
  readonly host: WorkerHost;
  /** Jobs under way. */
  running: number;
  /** When it last took a job, or had no reason to. */
  heardAt: number;
  /** When a worker that took none was replaced; null since one took a job. */
  replacedAt: number | null;
}

/** Of this process. */
let workers: readonly Watched[] = [];

new Gauge({
  name: 'queue_worker_silent_seconds',
  help: 'Time since a worker of this process took a job, or had no reason to: canaries keep it low.',
  labelNames: ['queue'],
  registers: [registry],
  collect() {
    for (const { host, heardAt } of workers) this.set({ queue: host.worker.name }, (Date.now() - heardAt) / 1_000);
  },
});

/**
 * After an outage of its queue a worker may take no jobs any more, and say nothing. So whoever takes none is sent one,
 * and must take it in time while the queue answers: else the worker is replaced, and at last the process ends, for
 * others to start it again.
 */
@Injectable()
export class QueueCanaries {
  private readonly log = new Logger('queue');
  private readonly watched: Watched[] = [];
  /** Workers that were replaced and are being closed. */
  private readonly closing = new Set<Promise<void>>();
  private queues: readonly Queue[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The latest setting that a job has worked with. */
  private latest = setting();

  constructor(
    private readonly env: Env,
    private readonly readiness: Readiness,
  ) {}

  /** Before the worker is made: what it takes passes here. */
  listen(host: WorkerHost): void {
    const seen: Watched = { host, running: 0, heardAt: Date.now(), replacedAt: null };
    const process = host.process.bind(host);
    host.process = async (job: Job, token?: string): Promise<unknown> => {
      Object.assign(seen, { heardAt: Date.now(), replacedAt: null, running: seen.running + 1 });
      try {
        return job.name === CANARY || isEvicted(job) ? undefined : await process(job, token);
      } finally {
        Object.assign(seen, { heardAt: Date.now(), running: seen.running - 1 });
        // What it put off, it put off by this clock.
        this.latest = Math.max(this.latest, setting());
      }
    };
    this.watched.push(seen);
  }

  start(queues: readonly Queue[]): void {
    this.queues = queues;
    workers = this.watched;
    const everyMs = this.deafMs / CANARIES;
    this.timer = setInterval(() => {
      void this.wakeAfterSetBack();
      void Promise.all(this.watched.map((seen) => this.look(seen, everyMs)));
    }, everyMs).unref();
    this.readiness.watch('workers', async () => {
      if (this.watched.some((seen) => this.isDeaf(seen))) throw new Error('a worker takes no jobs');
    });
  }

  /** Workers that were replaced have closed then, or have had their time to. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await within(ANSWER_MS, () => Promise.all(this.closing)).catch(() => undefined);
  }

  private get deafMs(): number {
    return this.env.WORKER_DEAF_SECONDS * 1_000;
  }

  private isDeaf({ heardAt }: Watched): boolean {
    return Date.now() - heardAt > this.deafMs;
  }

  private async look(seen: Watched, everyMs: number): Promise<void> {
    if (Date.now() - seen.heardAt < everyMs) return;
    // An outage is no fault of the worker, which has its time again once the queue answers; so has one with all hands
    // full.
    const isFull = seen.running >= seen.host.worker.concurrency;
    if (isFull || !(await this.send(seen))) return void (seen.heardAt = Date.now());
    if (!this.isDeaf(seen)) return;
    if (seen.replacedAt === null) this.replace(seen);
    else if (Date.now() - seen.replacedAt > PATIENCE * this.deafMs) this.giveUp(seen);
  }

  /**
   * Jobs that were put off by a clock that was ahead would wait for that time, and nobody makes them again while they
   * do. One that comes too early finds nothing to do.
   */
  private async wakeAfterSetBack(): Promise<void> {
    const before = this.latest;
    if (setting() > before - SET_BACK_MS) return;
    this.latest = setting();
    this.log.warn({
      message: 'the clock was set back: all that waits in the queues is looked at',
      ms: before - this.latest,
    });
    await Promise.all(this.queues.map((queue) => queue.promoteJobs())).catch((error: unknown) => {
      // Again at the next look.
      this.latest = before;
      this.log.warn({ message: 'what waits in the queues could not be looked at', err: error });
    });
  }

  /** Whether the queue took the canary. */
  private send({ host: { worker } }: Watched): Promise<boolean> {
    const queue = this.queues.find(({ name }) => name === worker.name)!;
    const options = { jobId: `${CANARY}-${newId()}`, removeOnComplete: true, removeOnFail: true };
    return within(ANSWER_MS, () => queue.add(CANARY, {}, options)).then(
      () => true,
      () => false,
    );
  }

  private replace(seen: Watched): void {
    const { host } = seen;
    const old = host.worker;
    this.log.error({ message: 'a worker takes no jobs, though its queue answers: it is replaced', queue: old.name });
    seen.replacedAt = Date.now();
    replaced.inc({ queue: old.name });
    const worker = new Worker(old.name, host.process.bind(host), old.opts);
    worker.on('error', ({ message }) => this.log.warn({ queue: old.name, message }));
    // Its place in the host has no other door.
    Object.assign(host, { _worker: worker });
    const closed = old
      .close(true)
      .catch(() => undefined)
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  private giveUp({ host: { worker } }: Watched): void {
    this.log.fatal({
      message: 'a worker takes no jobs, and neither does its successor: the process ends',
      queue: worker.name,
    });
    process.exit(1);
  }
}

/**
 * Tells readiness whether the queues answer, and metrics how long they are. Starts the workers of every queue in a
 * process that is meant to have them, and lets their jobs finish at its end.
 */
@Injectable()
export class QueueWorkers implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('queue');
  private queues: Queue[] = [];

  constructor(
    private readonly env: Env,
    private readonly registrar: BullRegistrar,
    private readonly discovery: DiscoveryService,
    private readonly readiness: Readiness,
    private readonly schedules: RecurringSchedules,
    private readonly canaries: QueueCanaries,
  ) {}

  onModuleInit(): void {
    this.queues = this.instances().filter((instance) => instance instanceof Queue);
    for (const queue of this.queues) queue.on('error', ({ message }) => this.log.warn({ queue: queue.name, message }));
    this.readiness.watch('queue', () => this.check());
    provideQueueDepths(() => this.depths());
  }

  onApplicationBootstrap(): void {
    if (!this.env.WORKER_IN_API) return;
    for (const host of this.hosts()) this.canaries.listen(host);
    this.registrar.register();
    this.canaries.start(this.queues);
    for (const { worker } of this.hosts())
      worker.on('error', ({ message }) => this.log.warn({ queue: worker.name, message }));
    // Not awaited: with its queue away, the process still serves what needs none.
    void this.schedules.keep();
  }

  /** Before anything that a job works with is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.canaries.stop();
    this.schedules.stop();
    if (this.env.WORKER_IN_API) await Promise.all(this.hosts().map(({ worker }) => worker.close()));
  }

  /** Throws, or hangs, when the queues are away: the cheapest question that they answer. */
  private async check(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.isPaused()));
  }

  private async depths() {
    const counts = await Promise.all(
      this.queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed', 'failed')),
    );
    return this.queues.flatMap(({ name }, i) =>
      Object.entries(counts[i]!).map(([state, jobs]) => ({ labels: { queue: name, state }, value: jobs })),
    );
  }

  private hosts(): WorkerHost[] {
    return this.instances().filter((instance) => instance instanceof WorkerHost);
  }

  private instances(): unknown[] {
    return this.discovery.getProviders().map(({ instance }) => instance as unknown);
  }
}

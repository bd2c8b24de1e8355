import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';
import { Env } from '../config/env';
import { Readiness } from '../health/readiness';
import { provideQueueDepths } from '../metrics/metrics';
import { QueueCanaries } from './queue-canaries';
import { RecurringSchedules } from './recurring-jobs';

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

import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Env } from '../config/env';
import { QueueCanaries } from './queue-canaries';
import { RecurringSchedules } from './recurring-schedules';

/** Starts the workers of every queue in a process that is meant to have them, and lets their jobs finish at its end. */
@Injectable()
export class QueueWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('queue');

  constructor(
    private readonly env: Env,
    private readonly registrar: BullRegistrar,
    private readonly discovery: DiscoveryService,
    private readonly schedules: RecurringSchedules,
    private readonly canaries: QueueCanaries,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.env.WORKER_IN_API) return;
    for (const host of this.hosts()) this.canaries.listen(host);
    this.registrar.register();
    this.canaries.start();
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

  private hosts(): WorkerHost[] {
    return this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof WorkerHost);
  }
}

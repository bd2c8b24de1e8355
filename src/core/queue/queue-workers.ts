import { setTimeout as sleep } from 'node:timers/promises';
import { BullRegistrar, InjectQueue, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { Env } from '../config/env';
import { RecurringJobs } from './recurring-jobs';
import { RECURRING_QUEUE } from './recurring.processor';

const SCHEDULE_RETRY_MS = 1_000;

/** Starts the workers of every queue in a process that is meant to have them, and lets their jobs finish at its end. */
@Injectable()
export class QueueWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('queue');
  private isStopping = false;

  constructor(
    private readonly env: Env,
    private readonly registrar: BullRegistrar,
    private readonly discovery: DiscoveryService,
    private readonly recurring: RecurringJobs,
    @InjectQueue(RECURRING_QUEUE) private readonly queue: Queue,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.env.WORKER_IN_API) return;
    this.registrar.register();
    for (const { worker } of this.hosts()) worker.on('error', ({ message }) => this.log.warn({ queue: worker.name, message }));
    // Not awaited: with its queue away, the process still serves what needs none.
    void this.schedule();
  }

  /** Before anything that a job works with is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.env.WORKER_IN_API) await Promise.all(this.hosts().map(({ worker }) => worker.close()));
  }

  private async schedule(): Promise<void> {
    while (!this.isStopping) {
      try {
        return await this.syncSchedulers();
      } catch (error) {
        this.log.error({ message: 'the recurring jobs are not scheduled yet', err: error });
        await sleep(SCHEDULE_RETRY_MS);
      }
    }
  }

  /** The queue's schedulers become what the code says. All workers do this: an unchanged one keeps its next time. */
  private async syncSchedulers(): Promise<void> {
    const { schedules } = this.recurring;
    const names = new Set(schedules.map(({ name }) => name));
    for (const { key } of await this.queue.getJobSchedulers()) if (!names.has(key)) await this.queue.removeJobScheduler(key);
    for (const { name, everyMs } of schedules) await this.queue.upsertJobScheduler(name, { every: everyMs });
  }

  private hosts(): WorkerHost[] {
    return this.discovery.getProviders().map(({ instance }) => instance as unknown).filter((instance) => instance instanceof WorkerHost);
  }
}

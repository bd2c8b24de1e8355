import { setTimeout as sleep } from 'node:timers/promises';
import { BullRegistrar, InjectQueue, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { JobSchedulerJson, Queue } from 'bullmq';
import { Env } from '../config/env';
import { RecurringJobs } from './recurring-jobs';
import { RECURRING_QUEUE } from './recurring.processor';

const SCHEDULES_CHECK_MS = 2_000;
const LATE_MS = 60_000;

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
    void this.keepSchedules();
  }

  /** Before anything that a job works with is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.env.WORKER_IN_API) await Promise.all(this.hosts().map(({ worker }) => worker.close()));
  }

  /** Again and again: a Redis that is emptied, or comes back without its data, has forgotten the schedules. */
  private async keepSchedules(): Promise<void> {
    for (let isRetired = false; !this.isStopping; await sleep(SCHEDULES_CHECK_MS, undefined, { ref: false })) {
      try {
        const stored = await this.queue.getJobSchedulers();
        // Once only: while releases change over, a process of the old one must not go on removing what the new one adds.
        if (!isRetired) await this.retire(stored);
        isRetired = true;
        await this.schedule(stored);
      } catch (error) {
        if (!this.isStopping) this.log.warn({ message: 'recurring jobs could not be scheduled', err: error });
      }
    }
  }

  /** Schedules that the code no longer has. */
  private async retire(stored: readonly JobSchedulerJson[]): Promise<void> {
    const names = new Set(this.recurring.schedules.map(({ name }) => name));
    for (const { key } of stored) if (!names.has(key)) await this.queue.removeJobScheduler(key);
  }

  /** Schedules that are missing, changed, or so late that their next job must be lost. The others keep their time. */
  private async schedule(stored: readonly JobSchedulerJson[]): Promise<void> {
    for (const { name, everyMs } of this.recurring.schedules) {
      const found = stored.find(({ key }) => key === name);
      const isLost = (found?.next ?? 0) < Date.now() - LATE_MS;
      if (found?.every !== everyMs || isLost) await this.queue.upsertJobScheduler(name, { every: everyMs });
    }
  }

  private hosts(): WorkerHost[] {
    return this.discovery.getProviders().map(({ instance }) => instance as unknown).filter((instance) => instance instanceof WorkerHost);
  }
}

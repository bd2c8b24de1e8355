import { setTimeout as sleep } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { JobSchedulerJson, Queue } from 'bullmq';
import { RecurringJobs } from './recurring-jobs';
import { RECURRING_QUEUE } from './recurring.processor';

const CHECK_MS = 2_000;
/** A schedule that is this many periods behind has lost its next job. At least: a check may find one that is just being made. */
const LATE_PERIODS = 3;
const LATE_MS_MIN = 2_000;

/** Keeps the queue's schedulers as the code says. Every worker process does this: an unchanged one keeps its next time. */
@Injectable()
export class RecurringSchedules {
  private readonly log = new Logger('recurring');
  private isStopping = false;

  constructor(
    private readonly jobs: RecurringJobs,
    @InjectQueue(RECURRING_QUEUE) private readonly queue: Queue,
  ) {}

  /** Until `stop`, again and again: a Redis that is emptied, or comes back without its data, has forgotten the schedules. */
  async keep(): Promise<void> {
    for (let isRetired = false; !this.isStopping; await sleep(CHECK_MS, undefined, { ref: false })) {
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

  stop(): void {
    this.isStopping = true;
  }

  /** Schedulers that the code no longer has. */
  private async retire(stored: readonly JobSchedulerJson[]): Promise<void> {
    const names = new Set(this.jobs.schedules.map(({ name }) => name));
    for (const { key } of stored) if (!names.has(key)) await this.queue.removeJobScheduler(key);
  }

  /** Schedulers that are missing, changed, or so late that their next job must be lost. */
  private async schedule(stored: readonly JobSchedulerJson[]): Promise<void> {
    for (const { name, everyMs } of this.jobs.schedules) {
      const found = stored.find(({ key }) => key === name);
      const isLost = (found?.next ?? 0) < Date.now() - Math.max(LATE_MS_MIN, LATE_PERIODS * everyMs);
      if (found?.every !== everyMs || isLost) await this.queue.upsertJobScheduler(name, { every: everyMs });
    }
  }
}

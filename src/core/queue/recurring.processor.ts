import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { RecurringJobs } from './recurring-jobs';
import { WORKER_OPTIONS } from './queue-options';

export const RECURRING_QUEUE = 'recurring';

/** More than one, so that a slow job does not keep the others waiting. */
const CONCURRENCY = 4;

/** A killed worker takes schedules along whose next job was not made yet: until they are found out, nothing recurs. */
const OPTIONS = { ...WORKER_OPTIONS, concurrency: CONCURRENCY, lockDuration: 10_000, stalledInterval: 5_000 };

/** Takes the jobs that the schedulers put into the queue, and runs the method that each one names. */
@Processor(RECURRING_QUEUE, OPTIONS)
export class RecurringProcessor extends WorkerHost {
  constructor(private readonly jobs: RecurringJobs) {
    super();
  }

  process({ name }: Job): Promise<void> {
    return this.jobs.run(name);
  }
}

import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { WORKER_OPTIONS } from '../../core/queue/queue-options';
import { type CheckJob, CHECKS_QUEUE } from './check-queue.service';
import { DueService } from './due.service';

/** Providers may be slow: many requeries at once. */
const CONCURRENCY = 16;

@Processor(CHECKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class ChecksProcessor extends WorkerHost {
  private readonly log = new Logger('purchases');

  constructor(private readonly due: DueService) {
    super();
  }

  /** A failure is logged, and the sweeper makes the job again. */
  async process({ data }: Job<CheckJob>): Promise<void> {
    const { at, ...key } = data;
    try {
      await this.due.lookWhenDue(key, new Date(at));
    } catch (error) {
      this.log.error({ message: 'a purchase could not be looked at', purchase: key.id, err: error });
      throw error;
    }
  }
}

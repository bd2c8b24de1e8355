import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { WORKER_OPTIONS } from '../../core/queue/queue-options';
import { type CheckJob, CHECKS_QUEUE } from './check-queue.service';
import { DueService } from './due.service';

/** Providers may be slow: many requeries at once. */
const CONCURRENCY = 16;

@Processor(CHECKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class ChecksProcessor extends WorkerHost {
  constructor(private readonly due: DueService) {
    super();
  }

  process({ data }: Job<CheckJob>): Promise<void> {
    const { at, ...key } = data;
    return this.due.lookWhenDue(key, new Date(at));
  }
}

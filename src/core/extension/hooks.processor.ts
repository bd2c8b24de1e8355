import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { WORKER_OPTIONS } from '../queue/queue-options';
import { type HookJob, HOOKS_QUEUE } from './hook-jobs';
import { HookRuns } from './hook-runs';

/** Observers mostly wait for others. */
const CONCURRENCY = 16;

@Processor(HOOKS_QUEUE, { ...WORKER_OPTIONS, concurrency: CONCURRENCY })
export class HooksProcessor extends WorkerHost {
  constructor(private readonly runs: HookRuns) {
    super();
  }

  process({ data }: Job<HookJob>): Promise<void> {
    return this.runs.run(data);
  }
}

import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { WORKER_OPTIONS } from '../../core/queue/queue-options';
import type { DeliveryJob } from './deliveries.types';
import { LATE_QUEUE, LIVE_QUEUE, TEST_QUEUE } from './delivery-queue.service';
import { DeliveryRuns } from './delivery-runs.service';

/** Attempts mostly wait for others. Many endpoints that give no answer must not take all places. */
const CONCURRENCY = { live: 128, test: 64, late: 64 };

/**
 * A job whose worker was killed is found out before the lease of its delivery ends, so that the sweeper can make it again then.
 * A job that is taken for dead while it lives does no harm: the lease keeps its delivery to one worker.
 */
const OPTIONS = { ...WORKER_OPTIONS, lockDuration: 15_000, stalledInterval: 5_000 };

/** One worker for each queue: neither tests nor late attempts delay the first attempts of live events. */
abstract class DeliveriesProcessor extends WorkerHost {
  private readonly log = new Logger('webhooks');

  constructor(private readonly runs: DeliveryRuns) {
    super();
  }

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const waitMs = await this.run(job.data);
    if (waitMs === 0) return;
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new DelayedError();
  }

  /** A failure is logged, and the sweeper makes the job again once its lease has ended. */
  private async run(job: DeliveryJob): Promise<number> {
    try {
      return await this.runs.run(job);
    } catch (error) {
      this.log.error({ message: 'a delivery could not be attempted', delivery: job.id, err: error });
      throw error;
    }
  }
}

@Processor(LIVE_QUEUE, { ...OPTIONS, concurrency: CONCURRENCY.live })
export class LiveDeliveriesProcessor extends DeliveriesProcessor {
  constructor(runs: DeliveryRuns) {
    super(runs);
  }
}

@Processor(TEST_QUEUE, { ...OPTIONS, concurrency: CONCURRENCY.test })
export class TestDeliveriesProcessor extends DeliveriesProcessor {
  constructor(runs: DeliveryRuns) {
    super(runs);
  }
}

@Processor(LATE_QUEUE, { ...OPTIONS, concurrency: CONCURRENCY.late })
export class LateDeliveriesProcessor extends DeliveriesProcessor {
  constructor(runs: DeliveryRuns) {
    super(runs);
  }
}

import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Clock } from '../../core/clock/clock';
import type { DeliveryJob, DueDelivery } from './deliveries.types';

export const LIVE_QUEUE = 'webhooks-live';
export const TEST_QUEUE = 'webhooks-test';
export const LATE_QUEUE = 'webhooks-late';

/** What is due later waits in the database alone. */
const NEAR_MS = 10 * 60_000;
/** From this attempt on a delivery is late: it must not stand in the way of first attempts. */
const LATE_FROM = 3;

/** Wakes somebody up for a delivery. The truth is its row: a job that is lost is made again by the sweeper. */
@Injectable()
export class DeliveryQueue {
  private readonly log = new Logger('webhooks');

  constructor(
    @InjectQueue(LIVE_QUEUE) private readonly live: Queue<DeliveryJob>,
    @InjectQueue(TEST_QUEUE) private readonly test: Queue<DeliveryJob>,
    @InjectQueue(LATE_QUEUE) private readonly late: Queue<DeliveryJob>,
    private readonly clock: Clock,
  ) {}

  /** To be called after the rows are committed. */
  async enqueue(rows: readonly DueDelivery[]): Promise<void> {
    const jobs = await Promise.all(rows.map(async (row) => ({ row, delay: await this.delayOf(row) })));
    const near = jobs.filter(({ delay }) => delay <= NEAR_MS);
    try {
      const byQueue = Map.groupBy(near, ({ row }) => this.queueOf(row));
      await Promise.all(
        [...byQueue].map(([queue, due]) => queue.addBulk(due.map(({ row, delay }) => jobOf(row, delay)))),
      );
    } catch (error) {
      this.log.warn({ message: 'deliveries could not be queued; the sweeper will do it', err: error });
    }
  }

  /** Jobs that could run now. */
  async waiting(): Promise<number> {
    const counts = await Promise.all([this.live, this.test, this.late].map((queue) => queue.getWaitingCount()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private queueOf({ attempts, livemode }: DueDelivery): Queue<DeliveryJob> {
    if (attempts + 1 >= LATE_FROM) return this.late;
    return livemode ? this.live : this.test;
  }

  private async delayOf(row: DueDelivery): Promise<number> {
    return Math.max(0, row.nextAttemptAt.getTime() - (await this.clock.now(row)).getTime());
  }
}

/** A jump of its clock gives a delivery a second job, as the first waits for another time. Only one of them finds it to be taken. */
const jobIdOf = ({ id, attempts, aheadMs }: DueDelivery): string =>
  `${id}_${attempts + 1}${aheadMs === undefined ? '' : `_${aheadMs}`}`;

function jobOf(row: DueDelivery, delay: number) {
  const { accountId, livemode, id, endpointId, attempts } = row;
  const data: DeliveryJob = { accountId, livemode, id, endpointId, attempt: attempts + 1 };
  // A job that ended and stayed would keep its id, and with it the sweeper from making the job again.
  return { name: 'deliver', data, opts: { delay, jobId: jobIdOf(row), removeOnComplete: true, removeOnFail: true } };
}

import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Clock } from '../../core/clock/clock';
import type { Purchase } from './purchase.entity';

export const CHECKS_QUEUE = 'purchase-checks';

/** What a job carries: ids, and the time that it is for. */
export interface CheckJob {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
  /** `next_check_at`, as milliseconds: a job for another time is out of date. */
  readonly at: number;
}

/** What is due later waits in the database alone. */
const NEAR_MS = 10 * 60_000;

/** Wakes somebody up for a purchase. The truth is its `next_check_at`: a job that is lost is made again by the sweeper. */
@Injectable()
export class CheckQueue {
  private readonly log = new Logger('purchases');

  constructor(
    @InjectQueue(CHECKS_QUEUE) private readonly queue: Queue<CheckJob>,
    private readonly clock: Clock,
  ) {}

  async add(...purchases: readonly Pick<Purchase, 'accountId' | 'livemode' | 'id' | 'nextCheckAt'>[]): Promise<void> {
    const jobs = await Promise.all(purchases.map((purchase) => this.jobOf(purchase)));
    try {
      await this.queue.addBulk(jobs.filter((job) => job !== null));
    } catch (error) {
      this.log.warn({ message: 'requeries could not be queued; the sweeper will', err: error });
    }
  }

  private async jobOf(purchase: Pick<Purchase, 'accountId' | 'livemode' | 'id' | 'nextCheckAt'>) {
    const { accountId, livemode, id, nextCheckAt } = purchase;
    if (nextCheckAt === null) return null;
    const at = nextCheckAt.getTime();
    const delay = Math.max(0, at - (await this.clock.now(purchase)).getTime());
    if (delay > NEAR_MS) return null;
    // A failed job that stayed would keep its id, and with it the sweeper from making the job again.
    return {
      name: 'check',
      data: { accountId, livemode, id, at },
      opts: { delay, jobId: `${id}_${at}`, removeOnFail: true },
    };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Wakers } from '../../core/clock/wakers';
import { Recurring } from '../../core/queue/recurring';
import { SELECT_DUE, SELECT_DUE_IN_TEST } from './deliveries.queries';
import type { DueDelivery } from './deliveries.types';
import { DeliveryQueue } from './delivery-queue.service';

const EVERY_MS = 5_000;
const CHUNK = 500;
/** With so many jobs waiting the workers have enough to do for now. */
const BUSY = 500;
const BUSY_PAUSE_MS = 100;
/** Of one run; the rest of the rows is looked at in the next. */
const RUN_MAX_MS = 4_000;
const WOKEN_MAX = 2_000;

type Position = readonly [at: Date, id: string];

const START: Position = [new Date(0), '00000000-0000-0000-0000-000000000000'];

/** Finds deliveries that are due and whose job may be lost: with a queue that was emptied, or a worker that died. */
@Injectable()
export class DeliverySweeper implements OnModuleInit {
  private position = START;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: DeliveryQueue,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.wakers.include((accountId) => this.wakeDue(accountId));
  }

  /** Goes on where it stopped, so that a long queue in front does not hide what is behind it. */
  @Recurring({ name: 'webhooks.sweep', everyMs: EVERY_MS })
  async sweep(): Promise<void> {
    for (const until = performance.now() + RUN_MAX_MS; performance.now() < until;) {
      if ((await this.queue.waiting()) > BUSY) {
        await sleep(BUSY_PAUSE_MS);
        continue;
      }
      const due: DueDelivery[] = await this.dataSource.query(SELECT_DUE, [...this.position, CHUNK]);
      await this.queue.enqueue(due);
      const last = due.length < CHUNK ? undefined : due.at(-1);
      this.position = last === undefined ? START : [last.nextAttemptAt, last.id];
      if (last === undefined) break;
    }
    await this.queue.enqueue(await this.dataSource.query(SELECT_DUE_IN_TEST, [null, CHUNK]));
  }

  /** Queues what is due by the test clock of an account; a very long queue is left to the sweeper. */
  private async wakeDue(accountId: string): Promise<void> {
    await this.queue.enqueue(await this.dataSource.query(SELECT_DUE_IN_TEST, [accountId, WOKEN_MAX]));
  }
}

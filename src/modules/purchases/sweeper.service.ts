import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Wakers } from '../../core/clock/wakers';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import { CheckQueue } from './check-queue.service';
import { DueService } from './due.service';
import type { PurchaseKey } from './loading.service';
import { SELECT_DUE, SELECT_PAYABLE } from './purchases.queries';

const EVERY_MS = 5_000;
const CHUNK = 500;
/** Purchases of one account that are looked at together. */
const PARALLEL = 16;

interface DueRow extends PurchaseKey {
  readonly at: Date;
}

/** Finds purchases that wait: for their time, whose job may be lost, or for money. */
@Injectable()
export class SweeperService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly due: DueService,
    private readonly queue: CheckQueue,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.wakers.include((accountId) => this.wakeDue(accountId));
  }

  @Recurring({ name: 'purchases.sweep', everyMs: EVERY_MS })
  async sweep(): Promise<void> {
    const due: DueRow[] = await this.dataSource.query(SELECT_DUE, [null, CHUNK]);
    await this.queue.add(...due.map(({ at, ...key }) => ({ ...key, nextCheckAt: at })));
    await this.wakeQueued(null);
  }

  /** Looks at all that is due by an account's clock, and answers when that is done. */
  private async wakeDue(accountId: string): Promise<void> {
    const due: DueRow[] = await this.dataSource.query(SELECT_DUE, [accountId, CHUNK]);
    await forEach(due, PARALLEL, ({ at, ...key }) => this.due.lookWhenDue(key, at));
    if (due.length === CHUNK) await this.wakeDue(accountId);
  }

  /** Starts what waits for money and can be paid: of one account, or of all. */
  async wakeQueued(accountId: string | null): Promise<void> {
    const payable: PurchaseKey[] = await this.dataSource.query(SELECT_PAYABLE, [accountId, CHUNK]);
    // One after the other: the oldest first while the money lasts.
    for (const key of payable) await this.due.pay(key);
  }
}

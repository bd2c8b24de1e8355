import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Wakers } from '../../core/clock/wakers';
import { arrayParam } from '../../core/database/array-param';
import { Batcher } from '../../core/database/batcher';
import { ReadPipeline } from '../../core/database/database.module';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import { CheckQueue } from './check-queue.service';
import { DueService } from './due.service';
import type { PurchaseKey } from './loading.service';
import { SELECT_DUE, SELECT_PAYABLE, SELECT_PAYABLE_OF } from './purchases.queries';

const EVERY_MS = 5_000;
const CHUNK = 500;
/** Purchases of one account that are looked at together. */
const PARALLEL = 16;
/** One at a time: what arrives meanwhile is the next. */
const LOOKS = {
  batchMax: 500,
  parallel: 1,
  queueMax: Infinity,
  overflow: () => new Error('too many looks for queued purchases at once'),
};

interface DueRow extends PurchaseKey {
  readonly at: Date;
}

/** Finds purchases that wait: for their time, whose job may be lost, or for money. */
@Injectable()
export class SweeperService implements OnModuleInit {
  /** Credits of the same moment are one look. */
  private readonly payable = new Batcher<string, PurchaseKey[]>((accountIds) => this.selectPayable(accountIds), LOOKS);

  constructor(
    private readonly reads: ReadPipeline,
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
    await this.pay(await this.dataSource.query(SELECT_PAYABLE, [CHUNK]));
  }

  /** Looks at all that is due by an account's clock, and answers when that is done. */
  private async wakeDue(accountId: string): Promise<void> {
    const due: DueRow[] = await this.dataSource.query(SELECT_DUE, [accountId, CHUNK]);
    await forEach(due, PARALLEL, ({ at, ...key }) => this.due.lookWhenDue(key, at));
    if (due.length === CHUNK) await this.wakeDue(accountId);
  }

  /** Starts what waits for the account's money and can be paid. */
  async wakeQueued(accountId: string): Promise<void> {
    await this.pay(await this.payable.add(accountId));
  }

  /** One after the other: the oldest first while the money lasts. */
  private async pay(keys: readonly PurchaseKey[]): Promise<void> {
    for (const key of keys) await this.due.pay(key);
  }

  private async selectPayable(accountIds: readonly string[]): Promise<PurchaseKey[][]> {
    const { rows } = await this.reads.query<PurchaseKey>(SELECT_PAYABLE_OF, [
      CHUNK,
      arrayParam('uuid', [...new Set(accountIds)]),
    ]);
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    return accountIds.map((accountId) => byAccount.get(accountId) ?? []);
  }
}

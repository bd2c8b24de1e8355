import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Rewinds } from '../../core/clock/rewinds';
import { Wakers } from '../../core/clock/wakers';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import { ChecksService } from './checks.service';
import { PaymentStore } from './payment-store.service';
import type { PaymentKey } from './payment.entity';
import { SELECT_DUE } from './payments.queries';

const EVERY_MS = 5_000;
const CHUNK = 500;
/** Payments that are looked at together. */
const PARALLEL = 16;

interface DueRow extends PaymentKey {
  readonly at: Date;
}

/** Finds payments that are due: that expire, or whose gateway must be asked again. */
@Injectable()
export class PaymentsSweeper implements OnModuleInit {
  private readonly log = new Logger('payments');

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: PaymentStore,
    private readonly checks: ChecksService,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({ table: 'payments', columns: ['next_check_at'] });
    this.rewinds.include({ table: 'payments', columns: ['expires_at'], where: `status IN ('pending', 'processing')` });
    this.rewinds.include({ table: 'sandbox_gateway_orders', columns: ['ready_at'] });
    this.wakers.include((accountId) => this.lookAtDue(accountId));
  }

  @Recurring({ name: 'payments.sweep', everyMs: EVERY_MS })
  async sweep(): Promise<void> {
    await this.lookAtDue(null);
  }

  /** Looks at all that is due by the clock of its account (of one account, or of all), and answers when that is done. */
  private async lookAtDue(accountId: string | null): Promise<void> {
    for (let found = CHUNK; found === CHUNK;) {
      const due: DueRow[] = await this.dataSource.query(SELECT_DUE, [accountId, CHUNK]);
      found = due.length;
      await forEach(due, PARALLEL, (row) => this.lookWhenDue(row));
    }
  }

  /** One payment that cannot be looked at does not keep the others waiting: its lease ends, and it is due again. */
  private async lookWhenDue({ at, ...key }: DueRow): Promise<void> {
    try {
      if (await this.store.lease(key, at)) await this.checks.look(key);
    } catch (error) {
      this.log.error({ message: 'a payment could not be looked at', payment: key.id, err: error });
    }
  }
}

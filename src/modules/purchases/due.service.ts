import { Injectable } from '@nestjs/common';
import { ChecksService } from './checks.service';
import { LoadingService, type PurchaseKey } from './loading.service';
import { SettledElsewhere } from './purchase-step.batch';
import { PurchaseStore } from './purchase-store.service';
import { WaitingService } from './waiting.service';

/** Does what a purchase is due for. */
@Injectable()
export class DueService {
  constructor(
    private readonly loading: LoadingService,
    private readonly store: PurchaseStore,
    private readonly checks: ChecksService,
    private readonly waiting: WaitingService,
  ) {}

  /** Looks at a purchase that is due at `at`; does nothing when it is not, or somebody else does it. */
  async lookWhenDue(key: PurchaseKey, at: Date): Promise<void> {
    if (await this.store.lease(key, at)) await this.look(key);
  }

  /** Looks at a purchase now, whenever it is due. */
  async look(key: PurchaseKey): Promise<void> {
    const running = await this.loading.load(key);
    try {
      const { status } = running.transaction;
      if (status === 'pending') await this.waiting.expire(running);
      else if (status === 'cancelled') await this.store.forget(running);
      else await this.checks.check(running);
    } catch (error) {
      if (!(error instanceof SettledElsewhere)) throw error;
    }
  }

  /** Pays a purchase that waits for money, if it can be paid now. */
  async pay(key: PurchaseKey): Promise<void> {
    try {
      await this.waiting.pay(await this.loading.load(key));
    } catch (error) {
      if (!(error instanceof SettledElsewhere)) throw error;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { TransactionsService } from '../transactions/transactions.service';
import type { PurchaseKey } from './loading.service';
import { type Running, SettledElsewhere } from './purchase-step.batch';
import { assertTransition } from './purchases.states';
import { LEASE, purchaseChange } from './purchases.queries';

/** Longer than a check takes: while one is made nobody else makes it. */
const LEASE_MS = 60_000;

/** Stores the steps of purchases that move no money. */
@Injectable()
export class PurchaseStore {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly transactions: TransactionsService,
    private readonly clock: Clock,
  ) {}

  /** The account's present. */
  now(key: Pick<PurchaseKey, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(key);
  }

  /** Rows of a step: the changed record and purchase. They fail when the stored ones are not in the state and at the attempt of `before`. */
  stepWrites(before: Running, after: Running): Write[] {
    const { status } = before.transaction;
    assertTransition(status, after.transaction.status);
    return [this.transactions.change(after.transaction, status), purchaseChange(after.purchase, before.purchase)];
  }

  /** Throws `SettledElsewhere`. */
  async write(writes: readonly Write[]): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw isRowChanged(error) ? new SettledElsewhere() : error;
    }
  }

  /** Stores a step. Throws `SettledElsewhere`. */
  step(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([...this.stepWrites(before, after), ...more]);
  }

  /** Stores what is new about a purchase whose state stays. Throws `SettledElsewhere`. */
  note(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([
      purchaseChange(after.purchase, before.purchase),
      this.transactions.change(after.transaction, before.transaction.status),
      ...more,
    ]);
  }

  /** A final purchase of which nothing is left to be asked. */
  forget({ transaction, purchase }: Running): Promise<void> {
    return this.write([
      purchaseChange({ ...purchase, nextCheckAt: null }, purchase),
      this.transactions.change(
        { ...transaction, version: transaction.version + 1, nextCheckAt: null },
        transaction.status,
      ),
    ]);
  }

  /** Takes a purchase that is due at `at` for one checker: for a while nobody else gets it. */
  async lease({ accountId, livemode, id }: PurchaseKey, at: Date): Promise<boolean> {
    const until = new Date((await this.clock.now({ accountId, livemode })).getTime() + LEASE_MS);
    const [, changed]: [unknown, number] = await this.unitOfWork.run((tx) =>
      tx.query(LEASE, [accountId, livemode, id, at, until]),
    );
    return changed === 1;
  }
}

import { Injectable } from '@nestjs/common';
import { lowBalanceEvents } from '../wallets/wallets.events';
import { PostingsService } from './postings.service';
import { freed, nextAttempt, purchaseEvent, type Running, SettledElsewhere } from './purchase-step.batch';
import { PurchaseStore } from './purchase-store.service';
import { InvalidPurchaseTransition } from './purchases.errors';
import { attemptWrite } from './purchases.queries';
import { RunnerService } from './runner.service';

/** Purchases that wait for money: no hold yet, nobody was asked. */
@Injectable()
export class WaitingService {
  constructor(
    private readonly postings: PostingsService,
    private readonly store: PurchaseStore,
    private readonly runner: RunnerService,
  ) {}

  /** Holds the money and asks the first provider, while there is enough and time. Throws `SettledElsewhere`. */
  async pay(before: Running): Promise<void> {
    const now = await this.store.now(before.purchase);
    if (isOver(before, now)) return void (await this.cancel(before));
    const { currency, details } = before.transaction;
    const { walletId, total, requestId, idempotencyKey } = before.purchase;
    let after = nextAttempt(before, now);
    const isPaid = await this.postings.post(before.purchase, {
      currency,
      lines: [],
      holds: [this.postings.step(before.purchase, 'open')],
      writes: (posted) => {
        const { available } = posted.account(walletId);
        const balances = { balanceBefore: available + total, balanceAfter: available };
        after = {
          ...after,
          transaction: {
            ...after.transaction,
            ...balances,
            updatedAt: posted.at,
            details: { ...details, queued: false },
          },
        };
        const announced = [
          purchaseEvent(after, 'processing', before.transaction.status),
          ...lowBalanceEvents(posted, { requestId, idempotencyKey }),
        ];
        return [...this.store.stepWrites(before, after), attemptWrite(after.attempt), ...announced];
      },
    });
    // Not awaited: whoever brought the money does not wait for the provider.
    if (isPaid) void this.runner.run(after);
  }

  /** Time may have passed before anybody was asked. */
  async expire(running: Running): Promise<void> {
    if (isOver(running, await this.store.now(running.purchase))) await this.cancel(running);
  }

  /** Throws `InvalidPurchaseTransition` once a provider was asked. */
  async cancel(before: Running): Promise<Running> {
    const { transaction: t, purchase } = before;
    if (t.status !== 'pending') throw new InvalidPurchaseTransition(t.id, t.status, 'cancelled');
    const at = new Date();
    const after: Running = {
      ...before,
      transaction: {
        ...t,
        version: t.version + 1,
        status: 'cancelled',
        nextCheckAt: null,
        updatedAt: at,
        completedAt: at,
        details: { ...t.details, queued: false },
      },
      purchase: { ...purchase, queued: false, nextCheckAt: null },
    };
    try {
      await this.store.step(before, after, [purchaseEvent(after, 'cancelled', t.status), ...freed(after)]);
    } catch (error) {
      throw error instanceof SettledElsewhere ? new InvalidPurchaseTransition(t.id, 'processing', 'cancelled') : error;
    }
    return after;
  }
}

const isOver = ({ purchase: { deliverBy } }: Running, now: Date): boolean => deliverBy !== null && deliverBy <= now;

import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { checkDelayMs } from '../../core/adapters/check-schedule';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { AskingService } from './asking.service';
import { CheckQueue } from './check-queue.service';
import { endedAttempt, nextAttempt, purchaseEvent, type Running, SettledElsewhere } from './purchase-step.batch';
import { PurchaseStore } from './purchase-store.service';
import { attemptChange, attemptWrite, checkWrite } from './purchases.queries';
import type { Delivered, NotDelivered, ProviderResult, Unsettled } from './purchases.types';
import { SettlementService } from './settlement.service';
import { measure } from './short-delivery.batch';

/** Carries a purchase from its attempt to an end, or to a requery. */
@Injectable()
export class RunnerService implements BeforeApplicationShutdown {
  private readonly log = new Logger('purchases');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly asking: AskingService,
    private readonly settlement: SettlementService,
    private readonly store: PurchaseStore,
    private readonly queue: CheckQueue,
  ) {}

  /**
   * Asks the attempt's provider, and those after it, until there is an answer to wait for or an end. `onStep` hears of
   * each step. Never throws: what a fault leaves undone is found by the requery.
   */
  run(running: Running, onStep: (after: Running) => void = () => undefined): Promise<void> {
    const work = this.drive(running, onStep).catch((error: unknown) => {
      if (!(error instanceof SettledElsewhere))
        this.log.error({ message: 'a purchase was left to its requery', purchase: running.purchase.id, err: error });
    });
    return this.underWay.add(work);
  }

  /** What a requery found out is carried out, and the next provider asked when there is one. Throws `SettledElsewhere`. */
  async goOn(running: Running, found: Exclude<ProviderResult, Unsettled>): Promise<void> {
    const after = await this.conclude(running, found);
    if (isAsked(after)) await this.run(after);
  }

  /** The provider has it no longer: the money goes back, from the hold or from where it went. Throws `SettledElsewhere`. */
  async takeBack(running: Running, { code, message }: { code: string; message: string }): Promise<void> {
    const now = await this.store.now(running.purchase);
    if (running.transaction.status === 'successful') await this.settlement.reverse(running, { code, message }, now);
    else
      await this.settlement.giveBack(
        running,
        { outcome: 'not_delivered', code, message, recovery: 'none', retryElsewhere: false },
        now,
      );
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  private async drive(running: Running, onStep: (after: Running) => void): Promise<void> {
    for (let current = running; ;) {
      const result = await this.asking.purchase(current);
      current =
        result.outcome === 'unknown' || result.outcome === 'accepted'
          ? await this.wait(current, result)
          : await this.conclude(current, result);
      onStep(current);
      if (!isAsked(current)) return;
    }
  }

  /** The step after a definite answer: deliver, ask the next provider, or give the money back. */
  private async conclude(running: Running, result: Exclude<ProviderResult, Unsettled>): Promise<Running> {
    const now = await this.store.now(running.purchase);
    if (result.outcome === 'delivered')
      return measure(running, result) === 'misfit'
        ? this.leaveToPerson(running, result, now)
        : this.settlement.deliver(running, result, now);
    const next = this.withNextProvider(running, result, now);
    return next
      ? this.tryNext(running, next, endedAttempt(running.attempt!, result, now))
      : this.settlement.giveBack(running, result, now);
  }

  /** Delivered, but not what was asked for: the hold stays, and a person is called, once. */
  private async leaveToPerson(running: Running, result: Delivered, now: Date): Promise<Running> {
    const { transaction, purchase } = running;
    const checks = purchase.checks + 1;
    const nextCheckAt = new Date(now.getTime() + checkDelayMs(checks));
    const reason = `delivered ${result.deliveredAmount} of ${transaction.amount}`;
    const attempt = endedAttempt(running.attempt!, result, now);
    const after: Running = {
      transaction: {
        ...this.settlement.withGoods(transaction, result),
        version: transaction.version + 1,
        needsReview: true,
        nextCheckAt,
        updatedAt: new Date(),
      },
      purchase: { ...purchase, checks, nextCheckAt, review: purchase.review ?? reason },
      attempt,
    };
    if (purchase.review === null)
      this.log.error({ message: 'a purchase needs a person', purchase: purchase.id, reason });
    await this.store.step(running, after, [
      attemptChange(attempt),
      ...(purchase.review === null ? [purchaseEvent(after, 'needs_review', transaction.status)] : []),
    ]);
    await this.queue.add(after.purchase);
    return after;
  }

  /** Nobody can say: the hold stays, and the provider is asked again. */
  private async wait(running: Running, result: Unsettled): Promise<Running> {
    const now = await this.store.now(running.purchase);
    const nextCheckAt = new Date(now.getTime() + checkDelayMs(0));
    const attempt = endedAttempt(running.attempt!, result, now);
    const transaction = {
      ...running.transaction,
      version: running.transaction.version + 1,
      nextCheckAt,
      updatedAt: new Date(),
    };
    const after: Running = { transaction, purchase: { ...running.purchase, nextCheckAt }, attempt };
    await this.store.step(running, after, [
      attemptChange(attempt),
      checkWrite(running.purchase, attempt.provider, result, 'purchase'),
    ]);
    await this.queue.add(after.purchase);
    return after;
  }

  /** The purchase about to be asked for at the first provider left that may be asked; null when nobody else may. */
  private withNextProvider(running: Running, { retryElsewhere }: NotDelivered, now: Date): Running | null {
    const { purchase } = running;
    const isLate = purchase.deliverBy !== null && purchase.deliverBy <= now;
    if (!retryElsewhere || isLate) return null;
    const from = purchase.route.findIndex((name) => this.asking.isPossible(purchase, name));
    return from < 0
      ? null
      : nextAttempt({ ...running, purchase: { ...purchase, route: purchase.route.slice(from) } }, now);
  }

  private async tryNext(before: Running, next: Running, ended: NonNullable<Running['attempt']>): Promise<Running> {
    const after = { ...next, transaction: { ...next.transaction, updatedAt: new Date() } };
    await this.store.step(before, after, [attemptChange(ended), attemptWrite(after.attempt!)]);
    return after;
  }
}

/** The provider of the last attempt has not answered yet. */
const isAsked = ({ attempt }: Running): boolean => attempt !== null && attempt.endedAt === null;

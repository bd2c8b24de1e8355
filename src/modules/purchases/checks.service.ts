import { Injectable, Logger } from '@nestjs/common';
import { checkDelayMs, needsPerson } from '../../core/adapters/check-schedule';
import type { Write } from '../../core/database/bulk';
import { AskingService } from './asking.service';
import { CheckQueue } from './check-queue.service';
import { purchaseEvent, type Running } from './purchase-step.batch';
import { PurchaseStore } from './purchase-store.service';
import { checkWrite } from './purchases.queries';
import type { FindResult, NotDelivered } from './purchases.types';
import { RunnerService } from './runner.service';
import { LATE_RECHECK_MS } from './settlement.service';
import { measure } from './short-delivery.batch';

/** "Not known here" counts as not delivered only after this time and this many answers in a row. */
const NOT_KNOWN_AFTER_MS = 10 * 60_000;
const NOT_KNOWN_ANSWERS = 2;

/** Asks what became of purchases whose outcome nobody could say. Only evidence settles one; a clock never does. */
@Injectable()
export class ChecksService {
  private readonly log = new Logger('purchases');

  constructor(
    private readonly store: PurchaseStore,
    private readonly asking: AskingService,
    private readonly runner: RunnerService,
    private readonly queue: CheckQueue,
  ) {}

  /** For a purchase that a provider was asked for. Throws `SettledElsewhere`. */
  async check(running: Running): Promise<void> {
    const found = await this.asking.find(running);
    const {
      purchase,
      transaction: { status },
    } = running;
    this.log.log({
      message: 'asked again',
      purchase: purchase.id,
      provider: running.attempt!.provider,
      outcome: found.outcome,
    });
    await this.store.write([checkWrite(purchase, running.attempt!.provider, found)]);
    if (status === 'failed' || status === 'reversed') return this.confirm(running, found);
    if (found.outcome === 'reversed') return this.runner.takeBack(running, found);
    if (found.outcome === 'unknown' || found.outcome === 'accepted' || found.outcome === 'not_known')
      return this.waitOn(running, found);
    if (status === 'processing') return this.runner.goOn(running, found);
    const isSame = found.outcome === 'delivered' && measure(running, found) === 'whole';
    if (isSame) return this.store.forget(running);
    // What contradicts what was settled is for a person to see.
    const now = found.outcome === 'delivered' ? `of which ${found.deliveredAmount} were delivered` : 'refused';
    return this.review(
      running,
      { ...running, purchase: { ...purchase, nextCheckAt: null } },
      `delivered before, ${now} at a later requery`,
    );
  }

  /** The money went back. A delivery that shows up now is never debited again silently. */
  private confirm(running: Running, { outcome }: FindResult): Promise<void> {
    if (outcome !== 'delivered') return this.store.forget(running);
    return this.review(
      running,
      { ...running, purchase: { ...running.purchase, nextCheckAt: null } },
      'delivered, though the money went back',
    );
  }

  private async waitOn(running: Running, found: FindResult): Promise<void> {
    const { purchase, transaction } = running;
    const now = await this.store.now(purchase);
    const notKnown = found.outcome === 'not_known' ? purchase.notKnown + 1 : 0;
    const isLost =
      notKnown >= NOT_KNOWN_ANSWERS && now.getTime() - running.attempt!.startedAt.getTime() >= NOT_KNOWN_AFTER_MS;
    if (isLost && transaction.status === 'processing') return this.runner.goOn(running, NEVER_ARRIVED);
    const checks = purchase.checks + 1;
    const nextCheckAt = new Date(now.getTime() + checkDelayMs(checks));
    // Of what is final nothing changed but when it is looked at next.
    const updatedAt = transaction.status === 'processing' ? new Date() : transaction.updatedAt;
    const after = {
      ...running,
      transaction: { ...transaction, version: transaction.version + 1, nextCheckAt, updatedAt },
      purchase: { ...purchase, checks, notKnown, nextCheckAt },
    };
    if (needsPerson(checks) && purchase.review === null)
      await this.review(running, after, 'no answer after all requeries');
    else await this.keep(running, after);
    await this.queue.add(after.purchase);
  }

  /** Raises the alarm, once: the money stays where it is until a person decides or evidence comes. */
  private async review(before: Running, after: Running, reason: string): Promise<void> {
    if (before.purchase.review !== null) return this.store.forget(before);
    this.log.error({ message: 'a purchase needs a person', purchase: before.purchase.id, reason });
    const { version, status } = before.transaction;
    const transaction = {
      ...after.transaction,
      version: version + 1,
      needsReview: true,
      nextCheckAt: after.purchase.nextCheckAt,
      updatedAt: new Date(),
    };
    const flagged = { ...after, transaction, purchase: { ...after.purchase, review: reason } };
    await this.keep(before, flagged, [purchaseEvent(flagged, 'needs_review', status)]);
  }

  private keep(before: Running, after: Running, events: Write[] = []): Promise<void> {
    if (before.transaction.status === 'processing') return this.store.step(before, after, events);
    return this.store.note(before, after, events);
  }
}

const NEVER_ARRIVED: NotDelivered = {
  outcome: 'not_delivered',
  code: 'not_known_to_provider',
  message: 'The provider never received the order.',
  recovery: 'retry_later',
  retryElsewhere: true,
  recheckAfterMs: LATE_RECHECK_MS,
};

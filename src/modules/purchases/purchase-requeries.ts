import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Caller, Key } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { checkDelayMs, needsPerson, neverArrived } from '../../providers/client';
import { Requeries } from '../../providers/requeries';
import { Rewinds } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { ChangedElsewhere } from '../../core/database/unit-of-work';
import type { Claim, Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { PostingRefused } from '../ledger/posting';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { ProviderClient } from './provider-client';
import { LATE_RECHECK_MS, PurchaseRun } from './purchase-run';
import { checkWrite, PurchaseStore } from './purchase-store';
import type { FindResult, NotDelivered } from './purchases.provider';
import { QueuedPurchases } from './queued-purchases';
import { InvalidPurchaseTransition, laterLookAt, measure, purchaseEvent, type Running } from './running';

/** Of one request to ask again, or one time that it is due. */
const LOOKS_MAX = 3;
/** A provider that wants to be asked again and again is asked no more often. */
const RECHECK_MIN_MS = 60_000;

/**
 * Looks at purchases that are due, and asks what became of those whose outcome nobody could say. Only evidence settles
 * one; a clock never does.
 */
@Injectable()
export class PurchaseRequeries implements OnModuleInit {
  private readonly log = new Logger('purchases');

  constructor(
    private readonly store: PurchaseStore,
    private readonly transactions: TransactionsService,
    private readonly client: ProviderClient,
    private readonly runs: PurchaseRun,
    private readonly queued: QueuedPurchases,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    private readonly idempotency: Idempotency,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'purchases',
      columns: ['next_check_at', 'deliver_by', 'called_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.rewinds.include({ table: 'transactions', columns: ['next_check_at'], where: 'next_check_at IS NOT NULL' });
    this.rewinds.include({ table: 'sandbox_orders', columns: ['sold_at', 'ready_at'] });
    this.requeries.include({
      table: 'purchases',
      look: (key) => this.lookAgain(key),
      states: { kind: 'w.product', status: 't.status', join: 'JOIN transactions t USING (account_id, livemode, id)' },
    });
  }

  /**
   * Asks the provider now what became of it; a request that is sent again asks only while it is still running. Throws
   * `NotFound`, `InsufficientScope`, `InvalidPurchaseTransition` when it is final or was never sent,
   * `IdempotencyKeyReused`.
   */
  async requery(caller: Caller, idOrReference: string, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const { accountId, livemode, id } = await this.transactions.requireChangeable(caller, idOrReference);
    const { transaction, attempt } = await this.store.loadPublic(caller, encodeId('txn', id), 'asked about');
    const { status } = transaction;
    const isOpen = status === 'processing' && attempt !== null;
    const claim: Claim = { accountId, livemode, ...request, reference: null, resource: 'txn', resourceId: id };
    const replay = await this.idempotency.once(claim, async () => {
      if (!isOpen) throw new InvalidPurchaseTransition(id, status, 'asked about');
    });
    return { made: isOpen ? await this.requeryNow(caller, id) : transaction, replayedBy: replay?.by ?? null };
  }

  /** As `requery`, by transaction uuid and in any state: what was delivered may have been taken back. */
  async requeryNow({ accountId, livemode }: Viewer, id: string): Promise<TransactionRecord> {
    const key = { accountId, livemode, id };
    await this.lookAgain(key);
    return (await this.store.load(key)).transaction;
  }

  /** Who was overtaken, by the first answer for instance, knows something that the other did not: it is asked again. */
  private async lookAgain(key: Key): Promise<void> {
    for (let looks = 1; !(await this.look(key)) && looks < LOOKS_MAX; looks++);
  }

  /** Looks at a purchase now, whenever it is due. False: somebody else changed it meanwhile; nothing was written. */
  async look(key: Key): Promise<boolean> {
    const running = await this.store.load(key);
    try {
      const { status } = running.transaction;
      if (status === 'pending') await this.queued.expire(running);
      else if (status === 'cancelled') await this.store.rest(running, null);
      else await this.check(running);
      return true;
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
      return false;
    }
  }

  /** For a purchase that a provider was asked for. Throws `ChangedElsewhere`. */
  private async check(running: Running): Promise<void> {
    const found = await this.client.find(running);
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
    const twin = purchase.calledAt === null ? null : await this.askBefore(running);
    if (twin !== null && purchase.review === null)
      return this.review(running, await this.soon(running), `delivered by ${twin}, too`);
    if (status === 'failed' || status === 'reversed') return this.confirm(running, found);
    if (status === 'processing' && isContradicted(running, found, twin)) return this.waitOn(running, CONTRADICTION);
    if (found.outcome === 'reversed') return this.takeBack(running, found);
    if (found.outcome === 'unknown' || found.outcome === 'accepted' || found.outcome === 'not_known')
      return this.waitOn(running, found);
    if (status === 'processing') {
      await this.runs.conclude(running, found);
      // Paid for once; that two have delivered is still to be seen by a person.
      if (twin !== null) await this.look(purchase);
      return;
    }
    const isSame = found.outcome === 'delivered' && measure(running, found) === 'whole';
    if (isSame) return this.rest(running, found.recheckAfterMs);
    // What contradicts what was settled is for a person to see.
    const now = found.outcome === 'delivered' ? `of which ${found.deliveredAmount} were delivered` : 'refused';
    return this.review(
      running,
      { ...running, purchase: { ...purchase, nextCheckAt: null } },
      `delivered before, ${now} at a later requery`,
    );
  }

  /** The money went back. A delivery that shows up now is never debited again silently. */
  private confirm(running: Running, found: FindResult): Promise<void> {
    const { outcome } = found;
    const isOpen = outcome === 'unknown' || outcome === 'accepted';
    if (isOpen && running.purchase.calledAt !== null) return this.waitOn(running, found);
    if (outcome !== 'delivered') return this.rest(running);
    return this.review(
      running,
      { ...running, purchase: { ...running.purchase, nextCheckAt: null } },
      'delivered, though the money went back',
    );
  }

  /** A wallet that was closed meanwhile takes nothing back: where the money is to go is for a person to say. */
  private async takeBack(running: Running, found: Extract<FindResult, { outcome: 'reversed' }>): Promise<void> {
    try {
      await this.runs.reverse(running, found);
    } catch (error) {
      if (!(error instanceof PostingRefused)) throw error;
      const after = { ...running, purchase: { ...running.purchase, nextCheckAt: null } };
      await this.review(running, after, `taken back by its provider: ${error.details.detail}`);
    }
  }

  /** Of a final purchase nothing is new. */
  private async rest(running: Running, recheckAfterMs?: number): Promise<void> {
    const now = await this.store.now(running.purchase);
    const recheck = recheckAfterMs === undefined ? undefined : Math.max(recheckAfterMs, RECHECK_MIN_MS);
    return this.store.rest(running, laterLookAt(running, now, recheck));
  }

  /**
   * Providers that refused before the last one was asked, and called back since: the first that has delivered after
   * all. Two have, then, or one of two may.
   */
  private async askBefore(running: Running): Promise<string | null> {
    for (const attempt of await this.store.calledBefore(running)) {
      const found = await this.client.find({ ...running, attempt });
      await this.store.write([checkWrite(running.purchase, attempt.provider, found)]);
      if (found.outcome === 'delivered') return attempt.provider;
    }
    return null;
  }

  /** The same, to be looked at again at once: what the last provider said was not followed yet. */
  private async soon(running: Running): Promise<Running> {
    const nextCheckAt = new Date((await this.store.now(running.purchase)).getTime() + checkDelayMs(0));
    return { ...running, purchase: { ...running.purchase, nextCheckAt } };
  }

  private async waitOn(running: Running, found: FindResult): Promise<void> {
    const { purchase, transaction } = running;
    const now = await this.store.now(purchase);
    const notKnown = found.outcome === 'not_known' ? purchase.notKnown + 1 : 0;
    const isLost = neverArrived(notKnown, running.attempt!.startedAt, now);
    if (isLost && transaction.status === 'processing') return this.runs.conclude(running, NEVER_ARRIVED);
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
    await this.requeries.setAlarms('purchases', after.purchase);
  }

  /** Raises the alarm, once: the money stays where it is until a person decides or evidence comes. */
  private async review(before: Running, after: Running, reason: string): Promise<void> {
    if (before.purchase.review !== null) return this.store.rest(before, null);
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

/**
 * What somebody has delivered is neither given back nor sold again because nobody knows of it later: people decide.
 * `twin`: a provider before this one that has delivered after all.
 */
function isContradicted({ attempt }: Running, { outcome }: FindResult, twin: string | null): boolean {
  if (outcome === 'not_delivered' || outcome === 'not_known') return twin !== null || attempt?.outcome === 'delivered';
  return outcome === 'reversed' && twin !== null;
}

const CONTRADICTION: FindResult = { outcome: 'unknown', code: 'contradiction' };

const NEVER_ARRIVED: NotDelivered = {
  outcome: 'not_delivered',
  code: 'not_known_to_provider',
  message: 'The provider never received the order.',
  recovery: 'retry_later',
  retryElsewhere: true,
  recheckAfterMs: LATE_RECHECK_MS,
};

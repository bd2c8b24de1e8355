import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { Extensions } from '../../core/extension/extensions';
import { newId } from '../../core/http/ids';
import { SecretBox } from '../../core/secrets/secret-box';
import { toJsonNumber } from '../../core/money/money';
import type { Line, Posted, Posting } from '../ledger/ledger.types';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { transactionEvent } from '../transactions/transactions.events';
import { creditedEvent } from '../wallets/wallets.events';
import { PostingsService } from './postings.service';
import { OPERATIONS } from './purchase-draft.batch';
import { endedAttempt, freed, purchaseEvent, type Running, SettledElsewhere } from './purchase-step.batch';
import { attemptChange, purchaseChange } from './purchases.queries';
import { assertTransition } from './purchases.states';
import type { Delivered, NotDelivered } from './purchases.types';
import { maskSecrets } from './secret-mask.batch';
import { measure, shortened } from './short-delivery.batch';

/** Money that went back is asked about once more: a delivery that shows up later is for a person to see. */
export const LATE_RECHECK_MS = 24 * 3_600_000;

/** Ends purchases: the money of the hold leaves, goes back, or comes back after all. Each in one posting with its events. */
@Injectable()
export class SettlementService {
  constructor(
    private readonly postings: PostingsService,
    private readonly transactions: TransactionsService,
    private readonly secrets: SecretBox,
    private readonly extensions: Extensions,
  ) {}

  /**
   * Delivered: the hold is captured, fee and commission are booked on lines of their own. Of less than was asked for, what
   * was delivered is captured and the rest released.
   */
  async deliver(before: Running, result: Delivered, now: Date): Promise<Running> {
    const isShort = measure(before, result) === 'short';
    const { transaction: t, purchase } = isShort ? shortened(before, result.deliveredAmount!) : before;
    const recheckAt = result.recheckAfterMs === undefined ? null : new Date(now.getTime() + result.recheckAfterMs);
    const kept = this.withGoods(t, result);
    const secrets =
      result.secrets ?? (t.secrets && (JSON.parse(this.secrets.open(t.secrets, t.id)) as Record<string, unknown>));
    const after: Running = {
      transaction: {
        ...kept,
        status: 'successful',
        needsReview: false,
        providerReference: result.providerReference,
        nextCheckAt: recheckAt,
        details: { ...kept.details, ...result.details, ...(secrets && maskSecrets({ ...secrets })) },
      },
      purchase: { ...purchase, nextCheckAt: recheckAt, checks: 0, notKnown: 0, review: null },
      attempt: endedAttempt(before.attempt!, result, now),
    };
    return this.settle(before, after, {
      holds: this.postings.capture(before.purchase, purchase),
      lines: await this.postings.outerLines(t, 1n),
    });
  }

  /** The record with what was delivered, which a person must settle. Tokens and PINs are kept, and shown once they are paid for. */
  withGoods(t: TransactionRecord, { deliveredAmount, secrets }: Delivered): TransactionRecord {
    return {
      ...t,
      details: {
        ...t.details,
        ...(deliveredAmount !== undefined && { delivered_amount: toJsonNumber(deliveredAmount) }),
      },
      secrets: secrets ? this.secrets.seal(JSON.stringify(secrets), t.id) : t.secrets,
    };
  }

  /** Certainly not delivered, and nobody else is asked: the hold is released. */
  giveBack(before: Running, result: NotDelivered, now: Date): Promise<Running> {
    const { code, message, recovery, recheckAfterMs } = result;
    const nextCheckAt = recheckAfterMs === undefined ? null : new Date(now.getTime() + recheckAfterMs);
    const after: Running = {
      transaction: {
        ...before.transaction,
        status: 'failed',
        needsReview: false,
        nextCheckAt,
        failure: { code, stage: 'provider', recovery, message },
      },
      purchase: { ...before.purchase, nextCheckAt, review: null },
      attempt: endedAttempt(before.attempt!, result, now),
    };
    return this.settle(before, after, { holds: [this.postings.step(before.purchase, 'release')], lines: [] });
  }

  /** The provider took a delivery back: the money returns to the wallet by a linked transaction. */
  async reverse(before: Running, reason: { code: string; message: string }, now: Date): Promise<Running> {
    const { transaction: t, purchase } = before;
    const id = newId();
    const nextCheckAt = new Date(now.getTime() + LATE_RECHECK_MS);
    const returned: Line = {
      ledgerAccountId: t.walletId,
      bucket: 'available',
      amount: purchase.total,
      transactionId: id,
    };
    const after: Running = {
      ...before,
      transaction: {
        ...t,
        status: 'reversed',
        reversedBy: id,
        needsReview: false,
        nextCheckAt: null,
        failure: { code: reason.code, message: reason.message, stage: 'provider', recovery: 'none' },
      },
      purchase: { ...purchase, nextCheckAt, review: null },
    };
    const lines = [returned, ...(await this.postings.outerLines(t, -1n))];
    return this.settle(before, after, { lines }, (posted) => this.reversal(before, id, posted));
  }

  private reversal({ transaction: t, purchase }: Running, id: string, posted: Posted): Write[] {
    const wallet = posted.account(t.walletId);
    const final = this.transactions.final({
      accountId: t.accountId,
      livemode: t.livemode,
      id,
      walletId: t.walletId,
      type: 'reversal',
      direction: 'credit',
      amount: purchase.total,
      currency: t.currency,
      balanceBefore: wallet.available - purchase.total,
      balanceAfter: wallet.available,
      at: posted.at,
    });
    const record = { ...final, reverses: t.id };
    const origin = { requestId: purchase.requestId, idempotencyKey: purchase.idempotencyKey };
    return [
      this.transactions.writeOpen(record),
      transactionEvent(record, { previous: null, origin }),
      creditedEvent(wallet, { transactionId: id, amount: record.amount, reference: t.reference }, origin),
    ];
  }

  private async settle(
    before: Running,
    after: Running,
    money: Pick<Posting, 'lines' | 'holds'>,
    more: (posted: Posted) => Write[] = () => [],
  ): Promise<Running> {
    const { accountId, livemode, currency, walletId, status } = before.transaction;
    assertTransition(status, after.transaction.status);
    let settled = after;
    const causes = this.extensions.causes();
    const payment = {
      operation: OPERATIONS[before.purchase.product],
      accountId,
      livemode,
      objectType: 'txn',
      objectId: before.purchase.id,
    } as const;
    const writes = (posted: Posted): Write[] => {
      const { available } = posted.account(walletId);
      const isRepriced = after.purchase.total !== before.purchase.total;
      const moved = after.transaction.status === 'failed' ? 0n : after.purchase.total;
      const balances = moved === 0n || isRepriced ? { balanceBefore: available + moved, balanceAfter: available } : {};
      settled = {
        ...after,
        transaction: {
          ...after.transaction,
          ...balances,
          version: before.transaction.version + 1,
          updatedAt: posted.at,
          completedAt: before.transaction.completedAt ?? posted.at,
        },
      };
      const event = purchaseEvent(settled, settled.transaction.status, status);
      return [
        isRepriced
          ? this.transactions.reprice(settled.transaction, status)
          : this.transactions.change(settled.transaction, status),
        purchaseChange(settled.purchase, before.purchase),
        event,
        ...(settled.transaction.status === 'successful' ? [] : freed(settled)),
        ...(settled.attempt !== before.attempt ? [attemptChange(settled.attempt!)] : []),
        ...this.extensions.afterPayment(event, payment, causes),
        ...more(posted),
        ...(before.verdict ?? []),
      ];
    };
    if (!(await this.postings.post(before.purchase, { currency, ...money, writes }))) throw new SettledElsewhere();
    this.extensions.wake();
    return settled;
  }
}

import { Injectable, Logger } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import {
  asChangedElsewhere,
  ChangedElsewhere,
  isRowChanged,
  retryChanged,
  UnitOfWork,
} from '../../../core/database/unit-of-work';
import { Extensions } from '../../../core/extension/extensions';
import { freeLikeness, likenessValue } from '../../../core/idempotency/claims';
import { encodeId } from '../../../core/http/ids';
import type { Refused } from '../../../providers/answers';
import { LedgerAccountsService } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Line, Posted } from '../../ledger/posting';
import {
  transactionChange,
  transactionEvent,
  type TransactionRecord,
  TransactionsService,
} from '../../transactions/transactions.service';
import { outerAccountsOf } from '../credit';
import type { ApprovalState } from '../../../vocabulary/approvals';
import { PaymentStore } from '../payment-store';
import type { Payment } from '../payment.entity';
import { approvalOf } from './refund.dto';
import type { Refund } from './refund.entity';
import { InvalidRefundTransition, originOf, refundEvent, refundStep, RefundStore } from './refund-store';

/** How a refund ends, and the rows that go with it. */
export interface RefundEnding {
  readonly status: 'successful' | 'failed' | 'cancelled';
  readonly gatewayReference: string | null;
  readonly failure: Refused | null;
  /** How the wait for a second person ended, where it ends with that. */
  readonly approval?: ApprovalState | null;
  readonly rows: readonly Write[];
}

/** A change of a refund that moves no money. */
interface RefundNote {
  readonly patch: Partial<Refund>;
  /** What changes with it on the record that the account sees. */
  readonly shown?: Partial<TransactionRecord>;
  readonly what?: 'processing' | 'needs_review';
  readonly rows?: readonly Write[];
}

/** In `details` of its transaction. */
export const shownApproval = (refund: Pick<Refund, 'approval' | 'approveBy'>): object => {
  const approval = approvalOf(refund);
  return approval === null ? {} : { approval: { ...approval, expires_at: approval.expires_at.toISOString() } };
};

/** What two refunds have in common that look alike. */
export const refundLikeness = ({ paymentId, amount }: Pick<Refund, 'paymentId' | 'amount'>): string =>
  likenessValue('payment_refund', paymentId, amount);

/** Stores what becomes of refunds. Their ends capture or release the hold, in one posting with records and events. */
@Injectable()
export class RefundSettlement {
  private readonly log = new Logger('refunds');

  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: TransactionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly extensions: Extensions,
    private readonly store: RefundStore,
    private readonly payments: PaymentStore,
  ) {}

  /** A step that moves no money. Throws `ChangedElsewhere`. */
  async note(before: Readonly<Refund>, { patch, shown = {}, what, rows = [] }: RefundNote): Promise<Refund> {
    const { after, write } = refundStep(before, patch);
    const record = what && (await this.recordOf(before));
    const details = { ...record?.details, ...shownApproval(after) };
    const changed = record && { ...record, ...shown, details, version: record.version + 1, updatedAt: after.updatedAt };
    const writes = [
      write,
      ...(what ? [refundEvent(after, what, before.status)] : []),
      ...(changed
        ? [
            ...transactionChange(changed, record),
            transactionEvent(changed, { previous: record.status, origin: originOf(before), what }),
          ]
        : []),
      ...rows,
    ];
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
    return after;
  }

  /** Raises the alarm: until a person decides the money stays held. Throws `ChangedElsewhere`. */
  flag(before: Readonly<Refund>, reason: string, patch: Partial<Refund>, rows: readonly Write[]): Promise<Refund> {
    this.log.error({ message: 'a refund needs a person', refund: before.id, reason });
    return this.note(before, {
      patch: { review: reason, reviews: before.reviews + 1, nextCheckAt: null, ...patch },
      shown: { needsReview: true },
      what: 'needs_review',
      rows,
    });
  }

  /**
   * The end: the hold leaves for the gateway, or goes back to the wallet. Once, whoever hears of it. Throws
   * `ChangedElsewhere`.
   */
  end(before: Readonly<Refund>, ending: RefundEnding): Promise<Refund> {
    const wasChanged = async (error: unknown): Promise<boolean> => {
      if (!isRowChanged(error)) return false;
      // Another refund of the payment was faster, or another settled this one.
      const stored = await this.store.load(before);
      if (stored.version !== before.version) throw new ChangedElsewhere();
      return true;
    };
    return retryChanged(async () => {
      const payment = await this.payments.load({ ...before, id: before.paymentId });
      return this.endOnce(before, payment, ending);
    }, wasChanged);
  }

  private async endOnce(before: Readonly<Refund>, payment: Payment, ending: RefundEnding): Promise<Refund> {
    const { status, gatewayReference, failure, approval = before.approval, rows } = ending;
    const record = await this.recordOf(before);
    const causes = this.extensions.causes();
    const patch = { status, gatewayReference, failure, approval, review: null, nextCheckAt: null, checks: 0 } as const;
    let ended!: Refund;
    const writes = (at: Date): Write[] => {
      const { after, write } = refundStep(before, { ...patch, updatedAt: at, completedAt: at });
      ended = after;
      const event = refundEvent(after, status, before.status);
      const { accountId, livemode, id } = before;
      return [
        write,
        this.payments.changed(payment, spent(payment, after)).write,
        event,
        ...(status === 'successful' ? [] : freed(before)),
        ...this.extensions.afterPayment(
          event,
          { operation: 'payment_refund', accountId, livemode, objectType: 'rfd', objectId: id },
          causes,
        ),
        ...rows,
      ];
    };
    if (record === null) await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes(new Date())));
    else await this.post(before, { ending, payment, record, writes });
    this.log.log({ message: 'a refund was settled', refund: before.id, status });
    this.extensions.wake();
    return ended;
  }

  /** With the money of the wallet. */
  private async post(
    before: Readonly<Refund>,
    {
      ending: { status, failure, gatewayReference, approval = before.approval },
      payment,
      record,
      writes,
    }: { ending: RefundEnding; payment: Payment; record: TransactionRecord; writes: (at: Date) => Write[] },
  ): Promise<void> {
    const { accountId, livemode, amount, fee, walletId } = before;
    const isDone = status === 'successful';
    const { currency } = record;
    const outer = await outerAccountsOf(this.accounts, { ...before, currency });
    const line = (ledgerAccountId: string, sum: bigint): Line => ({
      ledgerAccountId,
      bucket: 'available',
      amount: sum,
      transactionId: null,
    });
    const rows = (posted: Posted): Write[] => {
      const { available } = posted.account(walletId!);
      const after: TransactionRecord = {
        ...record,
        status,
        needsReview: false,
        version: record.version + 1,
        providerReference: gatewayReference,
        details: { ...record.details, ...shownApproval({ ...before, approval }), gateway_reference: gatewayReference },
        failure: failure && { ...failure, stage: 'provider' },
        ...(!isDone && { balanceBefore: available, balanceAfter: available }),
        updatedAt: posted.at,
        completedAt: posted.at,
      };
      return [
        ...transactionChange(after, record),
        transactionEvent(after, { previous: record.status, origin: originOf(before) }),
        ...writes(posted.at),
      ];
    };
    const outcome = await this.ledger.post({
      id: record.id,
      accountId,
      livemode,
      currency,
      holds: [
        {
          kind: isDone ? 'capture' : 'release',
          holdId: record.id,
          ledgerAccountId: walletId!,
          amount: amount + fee,
          transactionId: record.id,
        },
      ],
      lines: isDone ? [line(outer.gateway, amount), ...(fee > 0n ? [line(outer.fees, fee)] : [])] : [],
      claim: null,
      writes: rows,
    });
    // A hold can be ended once: who finds it gone is late.
    if (outcome.status === 'refused') {
      if ('holdId' in outcome.refusal) throw new ChangedElsewhere();
      throw new InvalidRefundTransition(before.id, payment.status, `${status}: ${outcome.refusal.reason}`);
    }
  }

  /** Null: no wallet pays. */
  private async recordOf({ accountId, livemode, transactionId }: Readonly<Refund>): Promise<TransactionRecord | null> {
    if (transactionId === null) return null;
    return this.transactions.require({ accountId, livemode }, encodeId('txn', transactionId));
  }
}

/** What a payment says of a refund that ended. */
const spent = (payment: Payment, { amount, status }: Readonly<Refund>): Partial<Payment> => ({
  refundsRunning: payment.refundsRunning - amount,
  ...(status === 'successful' && {
    refundsMade: payment.refundsMade + amount,
    amountRefunded: payment.amountRefunded + amount,
  }),
});

/** A refund that came to nothing stands in nobody's way: the same may be asked for again at once. */
const freed = (refund: Readonly<Refund>): Write[] => {
  const { accountId, livemode, id: resourceId, idempotencyKey, reference } = refund;
  if (idempotencyKey !== null || reference !== null) return [];
  return [freeLikeness({ accountId, livemode, resourceId }, refundLikeness(refund))];
};

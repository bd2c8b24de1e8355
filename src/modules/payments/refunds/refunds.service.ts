import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { isRowChanged, retryChanged } from '../../../core/database/unit-of-work';
import { DomainError, NotFound } from '../../../core/errors/domain-error';
import { Extensions, type Pass } from '../../../core/extension/extensions';
import type { PaymentContext } from '../../../core/extension/points';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { Currency } from '../../../core/money/money';
import { InTurn } from '../../../core/process/work-under-way';
import { AccountsService } from '../../accounts/accounts.service';
import { FeesService } from '../../accounts/fees.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Done, Making, Posted, Replayed, Written } from '../../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  transactionEvent,
  type TransactionRecord,
} from '../../transactions/transactions.service';
import { approvalWrite } from '../../transactions/approvals';
import { lowBalanceEvents } from '../../wallets/wallets.service';
import { creditOf, refundableOf } from '../credit';
import { PaymentStore } from '../payment-store';
import type { Payment } from '../payment.entity';
import { RefundApprovals } from '../refund-approvals';
import type { NewRefund } from './refund.dto';
import { awaitsApproval, type Refund } from './refund.entity';
import { requirePaid, RefundRun } from './refund-run';
import { refundLikeness, shownApproval } from './refund-settlement';
import { originOf, refundEvent, refundWrite } from './refund-store';

/** With what went back, or is about to, it would be more than was paid. */
class RefundExceedsPayment extends DomainError {
  constructor(payment: Payment, wanted: bigint | null) {
    const id = encodeId('pay', payment.id);
    super({
      code: 'refund_exceeds_payment',
      kind: 'unprocessable',
      title: 'Refund exceeds payment',
      param: '/amount',
      resourceId: id,
      detail: `${id} has ${refundableOf(payment)} left to refund; this asks for ${wanted ?? 'what is left'}.`,
    });
  }
}

/** The gateway cannot be asked to give money back. */
class RefundNotSupported extends DomainError {
  constructor({ id, gateway }: Payment) {
    super({
      code: 'refund_not_supported',
      kind: 'unprocessable',
      title: 'Refund not supported',
      recovery: 'account_must_act',
      resourceId: encodeId('pay', id),
      detail: `${gateway} takes no refunds from here: make it at the gateway, and the payment will follow.`,
    });
  }
}

/** What is agreed before a refund is recorded. */
interface Terms {
  readonly id: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly breakdown: readonly object[];
  readonly walletId: string;
  readonly currency: Currency;
  /** A second person must have let it go by then; null: nobody must. */
  readonly approveBy: Date | null;
  readonly context: PaymentContext;
}

interface Order {
  readonly caller: Caller;
  readonly wanted: NewRefund;
  readonly claim: Claim | null;
}

/** A refund that would be made, with the lines that its hold would write. */
export interface RefundPreview {
  readonly refund: Refund;
  readonly posted: Posted;
}

/** Gives payments back: what is left of the payment → fee, gates → hold. `RefundRun` then asks the gateway. */
@Injectable()
export class RefundsService {
  /** Of one payment. */
  private readonly refunds = new InTurn();

  constructor(
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly fees: FeesService,
    private readonly extensions: Extensions,
    private readonly ledger: LedgerService,
    private readonly payments: PaymentStore,
    private readonly runs: RefundRun,
    private readonly approvals: RefundApprovals,
  ) {}

  /**
   * Answers when the refund is final, whoever ends it, or `waitMs` have passed, whichever is first; it goes on after
   * that. Throws `NotFound`, `InvalidPaymentTransition`, `RefundExceedsPayment`, `RefundNotSupported`,
   * `PostingRefused` (`insufficient_funds`, `wallet_frozen`, …), `BlockedByHook`, `GateUnavailable`, `LikelyDuplicate`,
   * `IdempotencyKeyRequired`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async refund(
    caller: Caller,
    paymentId: string,
    { wanted, request, waitMs }: { wanted: NewRefund; request: RequestClaim; waitMs: number },
  ): Promise<Made<Refund>> {
    const { accountId, livemode } = caller;
    const { reference } = wanted;
    const claim: Claim = {
      accountId,
      livemode,
      ...request,
      reference,
      resource: 'rfd',
      resourceId: newIdOf(accountId),
    };
    const opened = await this.idempotency.answer<Refund | Replay>(
      claim,
      () => this.open({ caller, wanted, claim }, paymentId),
      (replay) => replay,
    );
    if ('resourceId' in opened)
      return { made: await this.runs.present({ accountId, livemode, id: opened.resourceId }), replayedBy: opened.by };
    // What waits for a person ends in no caller's time.
    if (awaitsApproval(opened)) return { made: opened, replayedBy: null };
    await this.runs.carryOut(opened, waitMs);
    return { made: await this.runs.present(opened), replayedBy: null };
  }

  /** What `refund` would do now; writes nothing and asks no gateway. */
  async preview(caller: Caller, paymentId: string, wanted: NewRefund): Promise<RefundPreview> {
    const payment = await this.paymentOf(caller, paymentId);
    const order = { caller, wanted, claim: null };
    const terms = await this.agree(order, payment);
    const draft = new RefundDraft(order, terms, payment, this.payments);
    const posted = await this.ledger.preview(draft.posting([]), payingWallet);
    await this.extensions.gate(terms.context);
    return { refund: posted.made, posted };
  }

  private async open({ caller, wanted, claim }: Order & { claim: Claim }, paymentId: string): Promise<Refund | Replay> {
    const payment = await this.paymentOf(caller, paymentId);
    const { reference, allowDuplicate } = wanted;
    const like = { paymentId: payment.id, amount: wanted.amount ?? refundableOf(payment) };
    const known = { key: claim.key, reference, allowDuplicate };
    const likeness = await this.accounts.likenessOf(caller, known, () => refundLikeness(like));
    // What looks like a twin is called so, also when nothing is left for it.
    if (likeness) await this.idempotency.replayOf({ ...claim, likeness });
    const order = { caller, wanted, claim: { ...claim, likeness } };
    const terms = await this.agree(order, payment);
    const pass = await this.extensions.gate(terms.context);
    const outcome = await pass.make(
      () => this.refunds.run(payment.id, () => this.hold(order, terms, pass)),
      ({ status }) => status === 'posted',
    );
    return outcome.status === 'posted' ? outcome.made : outcome;
  }

  /**
   * The hold, with what the payment says of it. The payment must be as it was read: of two refunds the second looks
   * again at what is left.
   */
  private hold(order: Order, terms: Terms, pass: Pass): Promise<Done<Refund> | Replayed> {
    const { caller, wanted } = order;
    return retryChanged(async () => {
      const payment = await this.payments.load({ ...caller, id: terms.context.draft.recipient! });
      if (refundableOf(payment) < terms.amount) throw new RefundExceedsPayment(payment, wanted.amount);
      const draft = new RefundDraft(order, terms, payment, this.payments);
      try {
        return await this.ledger.require(draft.posting(pass.writes), payingWallet);
      } catch (error) {
        if (!isRowChanged(error)) this.extensions.onFault(error, terms.context);
        throw error;
      }
    });
  }

  /** What is refunded, what it costs, whose wallet pays. Reads only, and no transaction is open. */
  private async agree({ caller, wanted, claim }: Order, payment: Payment): Promise<Terms> {
    const left = refundableOf(payment);
    requirePaid(payment);
    const amount = wanted.amount ?? left;
    if (amount === 0n || amount > left) throw new RefundExceedsPayment(payment, wanted.amount);
    if (!this.runs.canRefund(payment)) throw new RefundNotSupported(payment);
    const { walletId, currency } = creditOf(payment);
    const id = claim?.resourceId ?? newIdOf(caller.accountId);
    const { accountId, livemode, requestId } = caller;
    const context: PaymentContext = {
      operation: 'payment_refund',
      accountId,
      livemode,
      objectType: 'rfd',
      objectId: id,
      requestId,
      dryRun: claim === null,
      draft: {
        amount,
        currency,
        walletId,
        recipient: payment.id,
        network: null,
        reference: wanted.reference,
        metadata: wanted.metadata,
        details: { payment_id: payment.id, reason: wanted.reason, gateway: payment.gateway },
      },
    };
    const { fee, breakdown } = await this.fees.priced('payment_refund', context);
    const approveBy = await this.approvals.neededUntil(caller, { amount, currency });
    return { id, amount, fee, breakdown, walletId, currency, approveBy, context };
  }

  private async paymentOf({ accountId, livemode }: Caller, publicId: string): Promise<Payment> {
    const id = decodeId('pay', publicId);
    if (id === null) throw new NotFound('payment');
    return this.payments.load({ accountId, livemode, id });
  }
}

const payingWallet = (id: string) => ({ id: encodeId('wal', id), param: null });

/** A refund on its way into the books: the posting of its hold, and the rows that go with it. */
class RefundDraft {
  private readonly transactionId: string;

  constructor(
    private readonly order: Order,
    private readonly terms: Terms,
    private readonly payment: Payment,
    private readonly payments: PaymentStore,
  ) {
    this.transactionId = newIdOf(payment.accountId);
  }

  /** Claims and holds: the gateway may be asked when it is committed. */
  posting(more: Pass['writes']): Making<Refund> {
    const { accountId, livemode } = this.order.caller;
    const { amount, fee, walletId, currency } = this.terms;
    const transactionId = this.transactionId;
    return {
      id: transactionId,
      accountId,
      livemode,
      currency,
      among: 'wallet',
      lines: [],
      holds: [{ kind: 'open', holdId: transactionId, ledgerAccountId: walletId, amount: amount + fee, transactionId }],
      claim: this.order.claim,
      writes: (posted) => this.held(posted, more),
    };
  }

  private held(posted: Posted, more: Pass['writes']): Written<Refund> {
    const { payment, terms } = this;
    const refund = this.refund(posted.at);
    const transaction = this.transaction(posted, refund);
    const refundsRunning = payment.refundsRunning + terms.amount;
    const rows = [
      openTransactionWrite(transaction),
      refundWrite(refund),
      this.payments.changed(payment, { refundsRunning, updatedAt: posted.at }).write,
      ...(awaitsApproval(refund) ? this.awaiting(refund, transaction) : []),
      ...more,
      ...lowBalanceEvents(posted, originOf(refund)),
    ];
    return { rows, made: refund };
  }

  /** A second person is asked for, and the account told so. */
  private awaiting(refund: Refund, transaction: TransactionRecord): Write[] {
    const what = 'awaiting_approval';
    return [
      approvalWrite(this.order.caller, transaction.id),
      refundEvent(refund, what, null),
      transactionEvent(transaction, { previous: null, origin: originOf(refund), what }),
    ];
  }

  private refund(at: Date): Refund {
    const { caller, wanted, claim } = this.order;
    const { id, amount, fee, breakdown, walletId, currency, approveBy } = this.terms;
    const { accountId, livemode, requestId } = caller;
    return {
      accountId,
      livemode,
      id,
      paymentId: this.payment.id,
      status: 'pending',
      walletId,
      transactionId: this.transactionId,
      amount,
      fee,
      currency,
      gateway: this.payment.gateway!,
      gatewayReference: null,
      reference: wanted.reference,
      reason: wanted.reason,
      metadata: { ...wanted.metadata },
      breakdown,
      failure: null,
      approval: approveBy && 'awaiting',
      approveBy,
      attempts: 0,
      askedAt: null,
      checks: 0,
      notKnown: 0,
      nextCheckAt: approveBy ?? at,
      review: null,
      reviews: 0,
      version: 1,
      requestId,
      idempotencyKey: claim?.key ?? null,
      updatedAt: at,
      completedAt: null,
    };
  }

  private transaction(posted: Posted, refund: Refund): TransactionRecord {
    const { caller, wanted } = this.order;
    const { id, amount, fee, breakdown, walletId, currency } = this.terms;
    const { available } = posted.account(walletId);
    const final = finalTransaction({
      accountId: caller.accountId,
      livemode: caller.livemode,
      id: this.transactionId,
      walletId,
      type: 'payment_refund',
      direction: 'debit',
      amount,
      fee,
      currency,
      reference: wanted.reference,
      metadata: { ...wanted.metadata },
      balanceBefore: available + amount + fee,
      balanceAfter: available,
      at: posted.at,
    });
    const details = {
      refund_id: encodeId('rfd', id),
      payment_id: encodeId('pay', this.payment.id),
      payment_reference: this.payment.reference,
      gateway_reference: null,
      breakdown,
      ...shownApproval(refund),
    };
    return { ...final, status: 'pending', details, completedAt: null };
  }
}

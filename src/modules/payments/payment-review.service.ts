import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import { decodeId, encodeId } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import { WalletsService } from '../wallets/wallets.service';
import { InvalidPaymentTransition, PaymentRefunds, PaymentStore } from './payment-store';
import { ACCEPTANCES, type Payment, type PaymentStatus, type StoredReversal, TO_BE_REFUNDED } from './payment.entity';
import { WalletOfOtherCurrency } from './payments.service';
import { type Notice, SettlementService } from './settlement.service';

/** The wallet does not have what would have to be given back. */
class ReversalRefused extends DomainError {
  constructor(paymentId: string, reason: string) {
    super({
      code: 'insufficient_funds',
      kind: 'payment_required',
      title: 'Insufficient funds',
      resourceId: encodeId('pay', paymentId),
      detail: `The wallet of ${encodeId('pay', paymentId)} cannot give the money back: ${reason}.`,
    });
  }
}

/** `unchanged`: the payment stays as it is, and the mark goes. */
export const DECISIONS = [...ACCEPTANCES, 'failed', 'reversed', 'unchanged'] as const;
export type PaymentDecision = (typeof DECISIONS)[number];

const UNCREDITED: readonly PaymentStatus[] = ['processing', 'failed', 'expired', 'cancelled'];

/** From which states a person may decide so. */
const FROM: Readonly<Record<PaymentDecision, readonly PaymentStatus[]>> = {
  accept_received: UNCREDITED,
  accept_requested: UNCREDITED,
  refund_payer: UNCREDITED,
  failed: ['processing'],
  reversed: ['successful'],
  unchanged: ['successful', 'failed', 'expired', 'cancelled', 'reversed'],
};

/** What a person may decide about a payment in this state. */
export const paymentDecisionsAt = (status: PaymentStatus): PaymentDecision[] =>
  DECISIONS.filter((decision) => FROM[decision].includes(status));

/** A payment that only a person can settle. Minor units. */
export interface PaymentInReview extends Key {
  readonly reason: string;
  readonly status: PaymentStatus;
  readonly amount: string;
  readonly currency: Currency;
  readonly amountReceived: string | null;
  readonly currencyReceived: string | null;
  readonly gateway: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

/** Money that a person decided is to go back to its payer, and that the gateway still has. Minor units. */
export interface RefundDue extends Key {
  readonly status: PaymentStatus;
  readonly amount: string;
  readonly currency: string;
  readonly gateway: string;
  readonly gatewayReference: string | null;
}

export interface PaymentVerdict {
  readonly outcome: PaymentDecision;
  /** Public id of a wallet to credit instead of the payment's own. */
  readonly walletId?: string;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the gateway said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface PaymentResolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly payment: Payment;
}

/** Payments about which a gateway contradicts the order or itself: people settle them, with evidence. */
@Injectable()
export class PaymentReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settlement: SettlementService,
    private readonly store: PaymentStore,
    private readonly wallets: WalletsService,
    private readonly reviews: Reviews,
    private readonly refunds: PaymentRefunds,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<PaymentInReview[]> {
    return this.dataSource.query(
      `SELECT p.account_id AS "accountId", p.livemode, p.id, p.review AS reason, p.status, p.amount, p.currency,
              p.amount_received AS "amountReceived", p.currency_received AS "currencyReceived", p.gateway,
              ${decisionsOf('p.account_id', 'p.id', 'p.reviews')} AS decisions
         FROM payments p WHERE p.review IS NOT NULL ORDER BY p.id LIMIT $1`,
      [limit],
    );
  }

  /** What is to go back to payers, did not yet, and no refund is under way for: for people to make, oldest first. */
  listRefundsDue(limit: number): Promise<RefundDue[]> {
    return this.dataSource.query(
      `SELECT account_id AS "accountId", livemode, id, status, amount_received - amount_refunded AS amount,
              currency_received AS currency, gateway, gateway_reference AS "gatewayReference"
         FROM payments WHERE resolution = 'refund_payer' AND amount_refunded < amount_received AND refunds_running = 0
        ORDER BY id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `InvalidPaymentTransition`, `WalletOfOtherCurrency`, `SamePerson`, `ReversalRefused`,
   * `ChangedElsewhere`.
   */
  async resolve(key: Key, verdict: PaymentVerdict): Promise<PaymentResolution> {
    const payment = await this.store.load(key);
    const isPossible = payment.review !== null && FROM[verdict.outcome].includes(payment.status);
    if (!isPossible)
      throw new InvalidPaymentTransition(
        payment.id,
        payment.review === null ? `${payment.status}, not in review,` : payment.status,
        verdict.outcome,
      );
    const told = await this.noticeOf(payment, verdict);
    const { amount, currency, amountReceived, currencyReceived, accountId, livemode, id, reviews: round } = payment;
    const came = amountReceived === null ? [] : [{ amount: amountReceived, currency: currencyReceived! }];
    const needed = this.reviews.peopleNeeded({ amount, currency }, ...came);
    const ballot = {
      ...verdict,
      outcome: verdict.walletId === undefined ? verdict.outcome : `${verdict.outcome} into ${verdict.walletId}`,
    };
    const settled = await this.reviews.decide(
      { accountId, livemode, resource: 'pay', id, round },
      ballot,
      needed,
      (rows) => this.settle(payment, verdict.outcome, { told, rows }),
    );
    return { isSettled: settled !== null, payment: settled ?? payment };
  }

  /** What a decision makes of a payment; what was received stays. */
  private async noticeOf(payment: Payment, { outcome, walletId }: PaymentVerdict): Promise<Notice> {
    const { amount, fee, currency, amountReceived, currencyReceived } = payment;
    // Nobody but the person says that anything came: then it is what was asked for.
    const came =
      amountReceived === null
        ? { amountReceived: amount, currencyReceived: currency }
        : { amountReceived, currencyReceived };
    const told: Notice = { ...came, gatewayReference: payment.gatewayReference };
    if (outcome === 'refund_payer') {
      if (amountReceived === null)
        throw new InvalidPaymentTransition(payment.id, `${payment.status}, with nothing received,`, 'refunded');
      return { ...told, resolution: outcome };
    }
    if (outcome !== 'accept_received' && outcome !== 'accept_requested') return told;
    const isOther = came.currencyReceived !== currency;
    if (outcome === 'accept_received' && !isOther && came.amountReceived! <= fee)
      throw new InvalidPaymentTransition(
        payment.id,
        `paid with less than its fee of ${fee}`,
        'credited with what came',
      );
    const creditWalletId =
      walletId === undefined
        ? null
        : await this.walletOf(payment, walletId, outcome === 'accept_received' ? came.currencyReceived! : currency);
    if (isOther && (outcome === 'accept_requested' || creditWalletId === null))
      throw new WalletOfOtherCurrency(encodeId('wal', payment.walletId), came.currencyReceived!);
    return { ...told, resolution: outcome, creditWalletId };
  }

  private async walletOf(payment: Payment, publicId: string, currency: string): Promise<string> {
    const wallet = await this.wallets.require(payment, decodeId('wal', publicId));
    if (wallet.currency !== currency) throw new WalletOfOtherCurrency(publicId, currency);
    return wallet.id;
  }

  private async settle(
    payment: Payment,
    outcome: PaymentDecision,
    { told, rows }: { told: Notice; rows: readonly Write[] },
  ): Promise<Payment> {
    const reason = { code: 'resolved_by_review', message: 'Settled after a review.', recovery: 'none' } as const;
    if (outcome === 'failed') return this.store.end(payment, 'failed', reason, { verdict: rows });
    if (outcome === 'unchanged') return this.store.step(payment, { review: null }, () => rows);
    if (outcome === 'refund_payer') return this.sendBack(payment, rows);
    if (outcome === 'reversed') {
      if (payment.refundsRunning > 0n)
        throw new InvalidPaymentTransition(payment.id, `${payment.status}, with a refund under way,`, outcome);
      const reversed = await this.settlement.reverse(payment, { ...reason, reversals: toTakeBack(payment) }, rows);
      if ('id' in reversed) return reversed;
      throw new ReversalRefused(payment.id, reversed.reason);
    }
    const credited = await this.settlement.credit(payment, told, rows);
    if ('id' in credited) return credited;
    throw new InvalidPaymentTransition(payment.id, payment.status, `credited: ${credited.reason}`);
  }

  /** Nothing is credited. What was not final ends here; what was stays as it ended. The gateway is asked to refund. */
  private async sendBack(payment: Payment, verdict: readonly Write[]): Promise<Payment> {
    const refund = this.refunds.toPayer(payment);
    const patch = { resolution: 'refund_payer', review: null, ...refund?.patch } as const;
    const rows = [...verdict, ...(refund?.rows ?? [])];
    const sent =
      payment.status === 'processing'
        ? await this.store.end(payment, 'failed', TO_BE_REFUNDED, { more: patch, verdict: rows })
        : await this.store.step(payment, patch, () => rows);
    if (refund === null) return sent;
    await refund.begin();
    return this.store.load(sent);
  }
}

/**
 * What the gateway told of and the wallet did not give yet; without a word of the gateway, by the person's evidence,
 * all that is left.
 */
function toTakeBack({ reversals, amountReceived, amountRefunded }: Payment): readonly StoredReversal[] {
  if (reversals.some(({ taken }) => taken === null)) return reversals;
  return [
    ...reversals,
    { reference: 'review', amount: (amountReceived! - amountRefunded).toString(), taken: null, transactionId: null },
  ];
}

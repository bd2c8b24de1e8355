import { Injectable } from '@nestjs/common';
import type { Key } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { type CustomerDecision, CustomerReviewService } from '../cards/customer-review.service';
import { type CardDecision, type CardMade, type CardResolution, CardReviewService } from '../cards/card-review.service';
import { type DisputeDecision, type DisputeResolution, DisputeReviewService } from '../cards/dispute-review.service';
import type { KycTier } from '../cards/kyc-tier';
import { type PaymentDecision, type PaymentResolution, PaymentReviewService } from '../payments/payment-review.service';
import { type RefundDecision, type RefundResolution, RefundReviewService } from '../payments/refund-review.service';
import { type Decision, type Resolution, ReviewService } from '../purchases/review.service';
import {
  type DepositDecision,
  type DepositResolved,
  DepositReviewService,
} from '../virtual-accounts/deposit-review.service';
import { OperatorOrders, type OperatorOrder } from './operator-orders.service';

/** What operators decide about what no machine can settle. */
@Injectable()
export class OperatorReviews {
  constructor(
    private readonly orders: OperatorOrders,
    private readonly purchases: ReviewService,
    private readonly payments: PaymentReviewService,
    private readonly refunds: RefundReviewService,
    private readonly deposits: DepositReviewService,
    private readonly disputes: DisputeReviewService,
    private readonly cards: CardReviewService,
    private readonly customers: CustomerReviewService,
  ) {}

  /** Throws what `ReviewService.resolve` throws. */
  resolvePurchase(order: OperatorOrder, key: Key, outcome: Decision): Promise<Resolution> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'purchase.reviewed',
        target: encodeId('txn', key.id),
        detail: { livemode: key.livemode, outcome, settled },
      }),
    ];
    return this.purchases.resolve(key, { outcome, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `PaymentReviewService.resolve` throws. */
  resolvePayment(
    order: OperatorOrder,
    key: Key,
    { outcome, walletId }: { outcome: PaymentDecision; walletId?: string },
  ): Promise<PaymentResolution> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'payment.reviewed',
        target: encodeId('pay', key.id),
        detail: { livemode: key.livemode, outcome, wallet_id: walletId, settled },
      }),
    ];
    return this.payments.resolve(key, { outcome, walletId, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `DepositReviewService.resolve` throws. */
  resolveDeposit(
    order: OperatorOrder,
    key: Key,
    { outcome, walletId }: { outcome: DepositDecision; walletId?: string },
  ): Promise<DepositResolved> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'deposit.reviewed',
        target: encodeId('dep', key.id),
        detail: { livemode: key.livemode, outcome, wallet_id: walletId, settled },
      }),
    ];
    return this.deposits.resolve(key, { outcome, walletId, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `RefundReviewService.resolve` throws. */
  resolveRefund(order: OperatorOrder, key: Key, outcome: RefundDecision): Promise<RefundResolution> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'refund.reviewed',
        target: encodeId('rfd', key.id),
        detail: { livemode: key.livemode, outcome, settled },
      }),
    ];
    return this.refunds.resolve(key, { outcome, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `DisputeReviewService.resolve` throws. */
  resolveDispute(
    order: OperatorOrder,
    key: Key,
    { outcome, amount }: { outcome: DisputeDecision; amount?: bigint | undefined },
  ): Promise<DisputeResolution> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'dispute.reviewed',
        target: encodeId('dsp', key.id),
        detail: { livemode: key.livemode, outcome, amount: amount && toJsonNumber(amount), settled },
      }),
    ];
    return this.disputes.resolve(key, { outcome, amount, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `CardReviewService.resolve` throws. */
  resolveCard(
    order: OperatorOrder,
    key: Key,
    { outcome, ...made }: { outcome: CardDecision } & CardMade,
  ): Promise<CardResolution> {
    const writes = (settled: boolean) => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'card.reviewed',
        target: encodeId('crd', key.id),
        detail: { livemode: key.livemode, outcome, issuer_reference: made.issuerReference, settled },
      }),
    ];
    return this.cards.resolve(key, { outcome, ...made, person: order.operator, note: order.reason, writes });
  }

  /** Throws what `CustomerReviewService.resolve` throws. */
  async resolveCustomer(
    order: OperatorOrder,
    key: Key,
    { outcome, tier }: { outcome: CustomerDecision; tier?: KycTier | undefined },
  ): Promise<{ readonly kycTier: number }> {
    const writes = () => [
      this.orders.entry(order, {
        accountId: key.accountId,
        action: 'customer.reviewed',
        target: encodeId('cus', key.id),
        detail: { livemode: key.livemode, outcome, tier },
      }),
    ];
    return this.customers.resolve(key, { outcome, tier, person: order.operator, note: order.reason, writes });
  }
}

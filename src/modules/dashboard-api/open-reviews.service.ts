import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { PaymentReviewService } from '../payments/payment-review.service';
import { ReviewService } from '../purchases/review.service';

const LISTED_MAX = 200;

/** All that waits for a person, as operators are shown it. */
@Injectable()
export class OpenReviews {
  constructor(
    private readonly payments: PaymentReviewService,
    private readonly purchases: ReviewService,
  ) {}

  async list(): Promise<object> {
    const [payments, refunds, purchases] = await Promise.all([
      this.payments.list(LISTED_MAX),
      this.payments.listRefundsDue(LISTED_MAX),
      this.purchases.list(LISTED_MAX),
    ]);
    return {
      payments: payments.map(({ accountId, id, amount, amountReceived, currencyReceived, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        ...facts,
        amount: minor(amount),
        amount_received: amountReceived === null ? null : minor(amountReceived),
        currency_received: currencyReceived,
      })),
      refunds_due: refunds.map(({ accountId, id, amount, gatewayReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        ...facts,
        amount: minor(amount),
        gateway_reference: gatewayReference,
      })),
      purchases: purchases.map(({ accountId, id, amount, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        transaction_id: encodeId('txn', id),
        ...facts,
        amount: minor(amount),
      })),
    };
  }
}

/** Minor units as a JSON number. */
const minor = (amount: string): number => toJsonNumber(BigInt(amount));

import { Body, Controller, Get, HttpCode, Ip, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { PaymentReviewService } from '../payments/payment-review.service';
import { ReviewService } from '../purchases/review.service';
import { deedWrite } from './audit.service';
import type { SignedIn } from './people.types';
import { ResolvePaymentDto, ResolvePurchaseDto } from './reviews.dto';
import { Me, Needs } from './sessions.guard';

const LISTED_MAX = 200;

/** What only people can settle. Whoever is signed in decides: nobody types a name. */
@ApiExcludeController()
@Needs('operator')
@Controller('dashboard/api/operators/reviews')
export class ReviewsController {
  constructor(
    private readonly payments: PaymentReviewService,
    private readonly purchases: ReviewService,
  ) {}

  @Get()
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

  @Post('payments/:id')
  @HttpCode(200)
  async resolvePayment(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolvePaymentDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note, wallet_id: walletId } = body;
    const { isSettled, payment } = await this.payments.resolve(ResolvePaymentDto.keyOf(body, 'pay', id), {
      outcome,
      note,
      walletId,
      ...ballotOf(me, 'payment.reviewed', { target: id, ip, detail: { outcome, note, account: body.account_id } }),
    });
    return { payment_id: id, settled: isSettled, status: payment.status };
  }

  @Post('purchases/:id')
  @HttpCode(200)
  async resolvePurchase(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolvePurchaseDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note } = body;
    const { isSettled, running } = await this.purchases.resolve(ResolvePurchaseDto.keyOf(body, 'txn', id), {
      outcome,
      note,
      ...ballotOf(me, 'purchase.reviewed', { target: id, ip, detail: { outcome, note, account: body.account_id } }),
    });
    return { transaction_id: id, settled: isSettled, status: running.transaction.status };
  }
}

/** Who decides, and the entry in the audit log that is written with the decision. */
const ballotOf = (
  { accountId, userId, email }: SignedIn,
  action: string,
  { detail, ...more }: { target: string; ip: string; detail: object },
) => ({
  person: { userId, email },
  writes: (settled: boolean) => [
    deedWrite({ accountId, userId, actor: email, action, ...more, detail: { ...detail, settled } }),
  ],
});

/** Minor units as a JSON number. */
const minor = (amount: string): number => toJsonNumber(BigInt(amount));

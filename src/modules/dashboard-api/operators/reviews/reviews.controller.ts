import { Body, Controller, Get, HttpCode, Ip, Param, Post } from '@nestjs/common';
import type { Ballot } from '../../../../providers/reviews';
import { CardReviewService } from '../../../cards/card-review.service';
import { CustomerReviewService } from '../../../cards/customer-review.service';
import { DisputeReviewService } from '../../../cards/dispute-review.service';
import { PaymentReviewService } from '../../../payments/payment-review.service';
import { RefundReviewService } from '../../../payments/refund-review.service';
import { ReviewService } from '../../../purchases/review.service';
import { DepositReviewService } from '../../../virtual-accounts/deposit-review.service';
import { type AuditEntry, AuditService } from '../../audit.service';
import { Me, Needs } from '../../people/sessions.guard';
import type { SignedIn } from '../../people/sessions.service';
import {
  ResolveCardDto,
  ResolveCustomerDto,
  ResolveDepositDto,
  ResolveDisputeDto,
  ResolvePaymentDto,
  ResolvePurchaseDto,
  ResolveRefundDto,
} from './review-decisions.dto';
import { ReturnDueDto, ReturnsDueDto } from './reviews.dto';

/** Of each kind, the oldest. */
const DUE_MAX = 200;

/** What only people can settle. Whoever is signed in decides: nobody types a name. */
@Needs('operator')
@Controller('dashboard/api/operators/reviews')
export class ReviewsController {
  constructor(
    private readonly payments: PaymentReviewService,
    private readonly purchases: ReviewService,
    private readonly refunds: RefundReviewService,
    private readonly deposits: DepositReviewService,
    private readonly cards: CardReviewService,
    private readonly disputes: DisputeReviewService,
    private readonly customers: CustomerReviewService,
    private readonly audit: AuditService,
  ) {}

  /** Money that reviewers decided to give back, of all accounts, and that did not go back yet. */
  @Get('due')
  async due(): Promise<ReturnsDueDto> {
    const [refunds, returns] = await Promise.all([
      this.payments.listRefundsDue(DUE_MAX),
      this.deposits.listReturnsDue(DUE_MAX),
    ]);
    return { data: [...refunds.map(ReturnDueDto.ofPayment), ...returns.map(ReturnDueDto.ofDeposit)] };
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
    const { isSettled, payment } = await this.decided(
      me,
      { action: 'payment.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) =>
        this.payments.resolve(ResolvePaymentDto.keyOf(body, 'pay', id), { outcome, note, walletId, ...ballot }),
    );
    return { payment_id: id, settled: isSettled, status: payment.status };
  }

  @Post('deposits/:id')
  @HttpCode(200)
  async resolveDeposit(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolveDepositDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note, wallet_id: walletId } = body;
    const { isSettled, deposit } = await this.decided(
      me,
      { action: 'deposit.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) =>
        this.deposits.resolve(ResolveDepositDto.keyOf(body, 'dep', id), { outcome, note, walletId, ...ballot }),
    );
    return { deposit_id: id, settled: isSettled, status: deposit.status };
  }

  @Post('refunds/:id')
  @HttpCode(200)
  async resolveRefund(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolveRefundDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note } = body;
    const { isSettled, refund } = await this.decided(
      me,
      { action: 'refund.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) => this.refunds.resolve(ResolveRefundDto.keyOf(body, 'rfd', id), { outcome, note, ...ballot }),
    );
    return { refund_id: id, settled: isSettled, status: refund.status };
  }

  @Post('cards/:id')
  @HttpCode(200)
  async resolveCard(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolveCardDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note, issuer_reference: issuerReference, last4, expiry } = body;
    const detail = { outcome, note, account: body.account_id, issuer_reference: issuerReference };
    const { isSettled, card } = await this.decided(me, { action: 'card.reviewed', target: id, ip, detail }, (ballot) =>
      this.cards.resolve(ResolveCardDto.keyOf(body, 'crd', id), {
        outcome,
        note,
        issuerReference,
        last4,
        expiry,
        ...ballot,
      }),
    );
    return { card_id: id, settled: isSettled, status: card.status };
  }

  @Post('disputes/:id')
  @HttpCode(200)
  async resolveDispute(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolveDisputeDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note } = body;
    const { isSettled, dispute } = await this.decided(
      me,
      { action: 'dispute.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) => this.disputes.resolve(ResolveDisputeDto.keyOf(body, 'dsp', id), { outcome, note, ...ballot }),
    );
    return { dispute_id: id, settled: isSettled, status: dispute.status };
  }

  @Post('customers/:id')
  @HttpCode(200)
  async resolveCustomer(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() body: ResolveCustomerDto,
    @Ip() ip: string,
  ): Promise<object> {
    const { outcome, note, tier } = body;
    const { kycStatus } = await this.decided(
      me,
      { action: 'customer.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) =>
        this.customers.resolve(ResolveCustomerDto.keyOf(body, 'cus', id), {
          outcome,
          note,
          tier: tier ?? undefined,
          ...ballot,
        }),
    );
    return { customer_id: id, settled: true, status: kycStatus };
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
    const { isSettled, running } = await this.decided(
      me,
      { action: 'purchase.reviewed', target: id, ip, detail: { outcome, note, account: body.account_id } },
      (ballot) => this.purchases.resolve(ResolvePurchaseDto.keyOf(body, 'txn', id), { outcome, note, ...ballot }),
    );
    return { transaction_id: id, settled: isSettled, status: running.transaction.status };
  }

  /** Has `resolve` decide, for this person, and the entry in the audit log written with it. */
  private decided<T>(
    { homeAccountId: accountId, userId, email }: SignedIn,
    { detail, ...more }: Omit<AuditEntry, 'accountId' | 'userId' | 'actor'>,
    resolve: (ballot: Required<Pick<Ballot, 'person' | 'writes'>>) => Promise<T>,
  ): Promise<T> {
    return this.audit.with((writesOf) =>
      resolve({
        person: { userId, email },
        writes: (settled) => writesOf({ accountId, userId, actor: email, ...more, detail: { ...detail, settled } }),
      }),
    );
  }
}

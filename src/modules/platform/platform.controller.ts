import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { CurrentOperator, type OperatorCaller } from '../../core/http/doors';
import { PageQuery } from '../../core/http/query-fields';
import { AccountsService } from '../accounts/accounts.service';
import { OperatorsService } from '../dashboard-api/operators.service';
import { GoingLive } from './going-live';
import { OperatorAccounts } from './operator-accounts.service';
import { OperatorCards } from './operator-cards.service';
import { OperatorMoney } from './operator-money.service';
import { OperatorReviews } from './operator-reviews.service';
import {
  AnonymizeDto,
  CreditLimitDto,
  WalletDepositDto,
  FreezeAccountDto,
  idOf,
  PayoutLimitsDto,
  presentAccount,
  EnableLiveDto,
  ReasonedDto,
  RefundLimitsDto,
  RequireKeyDto,
  ReviewDepositDto,
  ReviewPaymentDto,
  ReviewPurchaseDto,
  ReviewRefundDto,
  SetOperatorDto,
  SetTierDto,
  SetTimeZoneDto,
  TierLimitsDto,
} from './platform.dto';

const { orderOf } = ReasonedDto;

const minor = (amount: number | null = null): bigint | null => (amount === null ? null : BigInt(amount));

/** Accounts, keys, operators, deposits, what only people can settle, cards and those who hold them. */
@ApiExcludeController()
@Controller('v4/platform')
export class PlatformController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly operators: OperatorAccounts,
    private readonly goingLive: GoingLive,
    private readonly money: OperatorMoney,
    private readonly reviews: OperatorReviews,
    private readonly cards: OperatorCards,
    private readonly platform: OperatorsService,
    private readonly pages: Pages,
  ) {}

  @Get('accounts')
  async list(@CurrentOperator() { userId }: OperatorCaller, @Query() query: PageQuery): Promise<List<object>> {
    const page = this.pages.open({ accountId: userId, livemode: true }, 'platform_accounts', query);
    return page.of(await this.accounts.list(page.after?.[0] ?? null, page.take), presentAccount, ({ id }) => [id]);
  }

  @Get('accounts/:id')
  async get(@Param('id') id: string): Promise<object> {
    return presentAccount(await this.accounts.require(idOf('acct', id, 'account')));
  }

  @Post('accounts/:id/enable-live')
  @HttpCode(200)
  async enableLive(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: EnableLiveDto,
  ): Promise<object> {
    const accountId = idOf('acct', id, 'account');
    return presentAccount(await this.goingLive.enable(orderOf(body, me), accountId, body.force ?? false));
  }

  @Post('accounts/:id/disable-live')
  @HttpCode(200)
  async disableLive(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return presentAccount(await this.goingLive.disable(orderOf(body, me), idOf('acct', id, 'account')));
  }

  @Post('accounts/:id/tier')
  @HttpCode(200)
  async setTier(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: SetTierDto,
  ): Promise<object> {
    return presentAccount(await this.operators.setTier(orderOf(body, me), idOf('acct', id, 'account'), body.tier));
  }

  @Post('accounts/:id/time-zone')
  @HttpCode(200)
  async setTimeZone(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: SetTimeZoneDto,
  ): Promise<object> {
    const accountId = idOf('acct', id, 'account');
    return presentAccount(await this.operators.setTimeZone(orderOf(body, me), accountId, body.time_zone));
  }

  @Post('accounts/:id/freeze')
  @HttpCode(200)
  async freeze(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: FreezeAccountDto,
  ): Promise<object> {
    const freeze = { direction: body.direction, until: body.until ?? null };
    return presentAccount(await this.operators.setFreeze(orderOf(body, me), idOf('acct', id, 'account'), freeze));
  }

  @Post('accounts/:id/unfreeze')
  @HttpCode(200)
  async unfreeze(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return presentAccount(await this.operators.setFreeze(orderOf(body, me), idOf('acct', id, 'account'), null));
  }

  @Post('accounts/:id/require-key')
  @HttpCode(200)
  async requireKey(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: RequireKeyDto,
  ): Promise<object> {
    return presentAccount(
      await this.operators.setKeyRequired(orderOf(body, me), idOf('acct', id, 'account'), body.required),
    );
  }

  /** What is left out has no limit. */
  @Post('accounts/:id/payout-limits')
  @HttpCode(200)
  async setPayoutLimits(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: PayoutLimitsDto,
  ): Promise<object> {
    const { livemode, currency, single_limit = null, daily_limit = null, approval_above = null } = body;
    const accountId = idOf('acct', id, 'account');
    const limits = {
      singleLimit: minor(single_limit),
      dailyLimit: minor(daily_limit),
      approvalAbove: minor(approval_above),
    };
    await this.operators.setPayoutLimits(orderOf(body, me), { accountId, livemode, currency }, limits);
    return { account_id: encodeId('acct', accountId), livemode, currency, single_limit, daily_limit, approval_above };
  }

  /** What is left out has no limit. */
  @Post('accounts/:id/refund-limits')
  @HttpCode(200)
  async setRefundLimits(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: RefundLimitsDto,
  ): Promise<object> {
    const { livemode, currency, approval_above = null } = body;
    const accountId = idOf('acct', id, 'account');
    await this.money.setRefundLimits(orderOf(body, me), { accountId, livemode, currency }, minor(approval_above));
    return { account_id: encodeId('acct', accountId), livemode, currency, approval_above };
  }

  @Post('keys/:id/revoke')
  @HttpCode(200)
  async revokeKey(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    const key = await this.operators.revokeKey(async () => orderOf(body, me), idOf('key', id, 'key'));
    return { id: encodeId('key', key.id), account_id: encodeId('acct', key.accountId), revoked_at: key.revokedAt };
  }

  @Post('operators')
  @HttpCode(200)
  async setOperator(@CurrentOperator() me: OperatorCaller, @Body() body: SetOperatorDto): Promise<object> {
    const { email, operator } = await this.operators.setOperator(orderOf(body, me), body.email, body.operator);
    return { email, operator };
  }

  @Post('billers/:code/enable')
  @HttpCode(200)
  enableBiller(
    @CurrentOperator() me: OperatorCaller,
    @Param('code') code: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return this.operators.switchBiller(orderOf(body, me), code, true);
  }

  @Post('billers/:code/disable')
  @HttpCode(200)
  disableBiller(
    @CurrentOperator() me: OperatorCaller,
    @Param('code') code: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return this.operators.switchBiller(orderOf(body, me), code, false);
  }

  /** Not settled: it is noted until a second operator orders the same. */
  @Post('deposits')
  @HttpCode(200)
  deposit(@CurrentOperator() me: OperatorCaller, @Body() body: WalletDepositDto): Promise<object> {
    const { wallet_id: wallet, amount, reference } = body;
    return this.money.deposit(async () => orderOf(body, me), {
      wallet: idOf('wal', wallet, 'wallet', '/wallet_id'),
      amount: BigInt(amount),
      reference,
    });
  }

  @Post('wallets/:id/credit-limit')
  @HttpCode(200)
  setCreditLimit(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: CreditLimitDto,
  ): Promise<object> {
    return this.money.setCreditLimit(
      async () => orderOf(body, me),
      idOf('wal', id, 'wallet'),
      BigInt(body.credit_limit),
    );
  }

  @Get('reviews')
  listReviews(): Promise<object> {
    return this.platform.openReviews();
  }

  @Post('reviews/purchases/:id')
  @HttpCode(200)
  async reviewPurchase(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReviewPurchaseDto,
  ): Promise<object> {
    const { isSettled, running } = await this.reviews.resolvePurchase(
      orderOf(body, me),
      ReviewPurchaseDto.keyOf(body, idOf('txn', id, 'transaction')),
      body.outcome,
    );
    return { transaction_id: id, settled: isSettled, status: running.transaction.status };
  }

  @Post('reviews/payments/:id')
  @HttpCode(200)
  async reviewPayment(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReviewPaymentDto,
  ): Promise<object> {
    const { outcome, wallet_id: walletId } = body;
    const { isSettled, payment } = await this.reviews.resolvePayment(
      orderOf(body, me),
      ReviewPaymentDto.keyOf(body, idOf('pay', id, 'payment')),
      { outcome, walletId: walletId ?? undefined },
    );
    return { payment_id: id, settled: isSettled, status: payment.status };
  }

  @Post('reviews/deposits/:id')
  @HttpCode(200)
  async reviewDeposit(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReviewDepositDto,
  ): Promise<object> {
    const { outcome, wallet_id: walletId } = body;
    const { isSettled, deposit } = await this.reviews.resolveDeposit(
      orderOf(body, me),
      ReviewDepositDto.keyOf(body, idOf('dep', id, 'deposit')),
      { outcome, walletId: walletId ?? undefined },
    );
    return { deposit_id: id, settled: isSettled, status: deposit.status };
  }

  @Post('reviews/refunds/:id')
  @HttpCode(200)
  async reviewRefund(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReviewRefundDto,
  ): Promise<object> {
    const key = ReviewRefundDto.keyOf(body, idOf('rfd', id, 'refund'));
    const { isSettled, refund } = await this.reviews.resolveRefund(orderOf(body, me), key, body.outcome);
    return { refund_id: id, settled: isSettled, status: refund.status };
  }

  @Post('cards/:id/block')
  @HttpCode(200)
  block(@CurrentOperator() me: OperatorCaller, @Param('id') id: string, @Body() body: ReasonedDto): Promise<object> {
    return this.cards.change(orderOf(body, me), idOf('crd', id, 'card'), 'blocked');
  }

  @Post('cards/:id/unblock')
  @HttpCode(200)
  unblock(@CurrentOperator() me: OperatorCaller, @Param('id') id: string, @Body() body: ReasonedDto): Promise<object> {
    return this.cards.change(orderOf(body, me), idOf('crd', id, 'card'), 'unblocked');
  }

  @Get('kyc-limits')
  async listTierLimits(): Promise<object> {
    return { data: await this.cards.listTierLimits() };
  }

  /** What is left out has no limit. */
  @Post('kyc-limits')
  @HttpCode(200)
  setTierLimits(@CurrentOperator() me: OperatorCaller, @Body() body: TierLimitsDto): Promise<object> {
    const { livemode, tier, cards_max, load_single_max, load_daily_max, balance_max } = body;
    const limits = {
      cardsMax: cards_max ?? null,
      loadSingleMax: minor(load_single_max),
      loadDailyMax: minor(load_daily_max),
      balanceMax: minor(balance_max),
    };
    return this.cards.setTierLimits(orderOf(body, me), { livemode, tier }, limits);
  }

  @Post('customers/:id/anonymize')
  @HttpCode(200)
  anonymize(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: AnonymizeDto,
  ): Promise<object> {
    return this.cards.anonymize(orderOf(body, me), idOf('cus', id, 'customer'), body.dry_run === true);
  }
}

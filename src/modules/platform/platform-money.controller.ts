import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentOperator, type OperatorCaller } from '../../core/http/platform-door';
import { OpenReviews } from '../dashboard-api/open-reviews.service';
import { CardDeeds } from './card-deeds.service';
import { MoneyDeeds } from './money-deeds.service';
import { AnonymizeDto, DepositDto, idOf, ReasonedDto, ReviewPaymentDto, ReviewPurchaseDto } from './platform.dto';

const { orderOf } = ReasonedDto;

/** Deposits, what only people can settle, cards and those who hold them. */
@ApiExcludeController()
@Controller('v4/platform')
export class PlatformMoneyController {
  constructor(
    private readonly money: MoneyDeeds,
    private readonly cards: CardDeeds,
    private readonly reviews: OpenReviews,
  ) {}

  /** Not settled: it is noted until a second operator orders the same. */
  @Post('deposits')
  @HttpCode(200)
  deposit(@CurrentOperator() me: OperatorCaller, @Body() body: DepositDto): Promise<object> {
    const { wallet_id: wallet, amount, reference } = body;
    return this.money.deposit(async () => orderOf(body, me), {
      wallet: idOf('wal', wallet, 'wallet', '/wallet_id'),
      amount: BigInt(amount),
      reference,
    });
  }

  @Get('reviews')
  listReviews(): Promise<object> {
    return this.reviews.list();
  }

  @Post('reviews/purchases/:id')
  @HttpCode(200)
  async reviewPurchase(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReviewPurchaseDto,
  ): Promise<object> {
    const { isSettled, running } = await this.money.resolvePurchase(
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
    const { isSettled, payment } = await this.money.resolvePayment(
      orderOf(body, me),
      ReviewPaymentDto.keyOf(body, idOf('pay', id, 'payment')),
      { outcome, walletId: walletId ?? undefined },
    );
    return { payment_id: id, settled: isSettled, status: payment.status };
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

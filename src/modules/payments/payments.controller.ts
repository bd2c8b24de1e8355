import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiExcludeController, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { FieldRefused } from '../../core/errors/domain-error';
import { answer } from '../../core/http/answer';
import { TakesRaw } from '../../core/http/body-parsers';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { type List, Pages } from '../../core/http/pages';
import { Public, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { TEST_AMOUNT_MAX } from '../../core/money/money';
import { callbackOf } from '../../providers/answers';
import { PaymentReads } from './payment-reads';
import { PaymentRun } from './payment-run';
import { CreatePaymentDto, PaymentDto, PaymentListDto, PaymentsQuery, PaymentStatusDto, toOrder } from './payment.dto';
import { PaymentsService } from './payments.service';

/** Money in. */
@ApiTags('Payments')
@Controller('api/v1/payments')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly run: PaymentRun,
    private readonly reads: PaymentReads,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('payments:write')
  @ApiOperation({ operationId: 'create_payment', summary: 'Ask somebody to pay into one of your wallets' })
  @ApiCreatedResponse({ type: PaymentDto, description: 'Send the payer to `checkout_url`.' })
  @ApiOkResponse({
    type: PaymentDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreatePaymentDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<PaymentDto> {
    const order = toOrder(dto);
    if (caller.livemode && order.callbackUrl?.startsWith('https:') === false)
      throw new FieldRefused('/callback_url', 'In live mode callback_url must begin with https://.');
    if (!caller.livemode && dto.amount > TEST_AMOUNT_MAX)
      throw new FieldRefused('/amount', `In test mode amount must be at most ${TEST_AMOUNT_MAX}.`, {
        code: 'amount_out_of_range',
      });
    if (dto.dry_run)
      return answer(await this.reads.preview(await this.payments.preview(caller, order)), { dryRun: true });
    const { made, replayedBy } = await this.payments.create(caller, order, request);
    return answer(this.reads.show(made), { replayedBy });
  }

  @Get()
  @Scope('payments:read')
  @ApiOperation({ operationId: 'list_payments', summary: 'List payments, newest first' })
  @ApiOkResponse({ type: PaymentListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PaymentsQuery): Promise<List<PaymentDto>> {
    const page = this.pages.open(caller, 'payments', query);
    const rows = await this.reads.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(
      rows,
      (payment) => this.reads.show(payment),
      ({ id }) => [id],
    );
  }

  @Get(':id')
  @Scope('payments:read')
  @ApiOperation({ operationId: 'get_payment', summary: 'Fetch a payment' })
  @ApiOkResponse({ type: PaymentDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<PaymentDto> {
    return this.reads.show(await this.reads.require(caller, id));
  }

  @Get(':id/status')
  @Scope('payments:read')
  @ApiOperation({ operationId: 'get_payment_status', summary: 'Check the status of a payment' })
  @ApiOkResponse({ type: PaymentStatusDto })
  async status(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<PaymentStatusDto> {
    return PaymentStatusDto.of(await this.reads.require(caller, id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Scope('payments:write')
  @ApiOperation({ operationId: 'cancel_payment', summary: 'Cancel a payment that nobody has paid yet' })
  @ApiOkResponse({ type: PaymentDto, description: 'The cancelled payment.' })
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<PaymentDto> {
    const { made, replayedBy } = await this.run.cancelOnce(await this.reads.require(caller, id), request);
    return answer(this.reads.show(made), { changed: true, replayedBy });
  }
}

/** Where gateways call. They have no key: their signature over the raw bytes stands for it. */
@Public()
@ApiExcludeController()
@Controller('callbacks')
export class CallbacksController {
  constructor(private readonly run: PaymentRun) {}

  @Post(':gateway')
  @HttpCode(200)
  @TakesRaw()
  async receive(
    @Param('gateway') gateway: string,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
  ): Promise<{ received: true }> {
    await this.run.receive(gateway, callbackOf(body, request));
    return { received: true };
  }
}

import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { SandboxBillers } from '../bills/providers/sandbox/sandbox-billers.service';
import { CardTransactionDto } from '../cards/card-transaction.dto';
import { TransactionDto } from '../transactions/transaction.dto';
import { PaymentReads } from '../payments/payment-reads';
import { SandboxDesk } from '../payments/sandbox/sandbox-desk';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import { OutsideService } from './outside.service';
import { SandboxOutageDto, SetOutageDto, SettleTransactionDto, SimulateCardDto } from './sandbox.dto';
import { CompletePaymentDto, SandboxScenariosDto } from './scenarios.dto';
import { TestModeGuard } from './test-mode.guard';

/** Plays whoever is outside: operators and providers, the card network, gateways. */
@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox')
@UseGuards(TestModeGuard)
export class OutsideController {
  constructor(
    private readonly outside: OutsideService,
    private readonly operator: SandboxOperator,
    private readonly billers: SandboxBillers,
    private readonly desk: SandboxDesk,
    private readonly payments: PaymentReads,
  ) {}

  @Get('scenarios')
  @Scope('purchases:read')
  @ApiOperation({
    operationId: 'list_sandbox_scenarios',
    summary: 'List what phone numbers, customers, cardholders and the header X-Sandbox-Scenario do',
  })
  @ApiOkResponse({ type: SandboxScenariosDto })
  scenarios(): SandboxScenariosDto {
    return SandboxScenariosDto.of(this.operator.scenarios, this.billers.customers(), this.desk.outcomes);
  }

  @Post('transactions/:id/settle')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'settle_sandbox_transaction',
    summary: 'Decide how a running test purchase ends, or take a successful one back',
  })
  @ApiOkResponse({ schema: { $ref: getSchemaPath('TransactionDto') }, description: 'The purchase after a requery.' })
  async settle(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { status }: SettleTransactionDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const { transaction, replayedBy } = await this.outside.settle(caller, id, status, request);
    return answer(TransactionDto.of(transaction), { changed: true, replayedBy });
  }

  @Post('providers/outage')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'set_sandbox_outage',
    summary: 'Make a test provider down, slow or flaky for your account, or well again',
  })
  @ApiOkResponse({ type: SandboxOutageDto })
  async setOutage(
    @CurrentCaller() { accountId }: Caller,
    @Body() { provider, mode }: SetOutageDto,
  ): Promise<SandboxOutageDto> {
    const name = await this.outside.setOutage(accountId, provider, mode);
    return { object: 'sandbox_outage', provider: name, mode, livemode: false };
  }

  @Post('cards/:id/simulate')
  @ApiOperation({
    operationId: 'simulate_card_transaction',
    summary: 'Play the card network: authorize, clear, void, refund, decline or charge a fee',
  })
  @ApiCreatedResponse({
    schema: { $ref: getSchemaPath('CardTransactionDto') },
    description: 'The card transaction, as it is now. A declined authorization is one, too.',
  })
  async simulate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: SimulateCardDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const simulation = {
      kind: dto.kind,
      amount: dto.amount ? BigInt(dto.amount) : null,
      merchant: dto.merchant ? { ...dto.merchant } : null,
      cardTransactionId: dto.card_transaction_id ?? null,
      declineReason: dto.decline_reason ?? null,
    };
    const { transaction, replayedBy } = await this.outside.simulate(caller, id, simulation, request);
    return answer(CardTransactionDto.of(transaction), { replayedBy });
  }

  @Post('payments/:id/complete')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'complete_sandbox_payment',
    summary: 'Decide what the gateway of a test payment says from now on, and have it call back',
  })
  @ApiOkResponse({ schema: { $ref: getSchemaPath('PaymentDto') }, description: 'The payment after the callback.' })
  async complete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { status }: CompletePaymentDto,
  ): Promise<object> {
    const payment = await this.payments.require(caller, id);
    return answer(this.payments.show(await this.desk.complete(payment, status)), { changed: true });
  }
}

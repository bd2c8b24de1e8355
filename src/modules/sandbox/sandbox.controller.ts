import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { DomainError } from '../../core/errors/domain-error';
import { Clock, Wakers } from '../../core/clock/clock';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Resources } from '../../core/resources/resources';
import { CardMoneyService } from '../cards/card-money.service';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { TransactionDto } from '../transactions/transaction.dto';
import { SamplesService } from './samples.service';
import {
  AdvanceClockDto,
  CreditWalletDto,
  PayVirtualAccountDto,
  SandboxClockDto,
  SandboxOutageDto,
  SandboxOutageListDto,
  SandboxResetDto,
  SandboxTransferDto,
  SetOutageDto,
  SettleTransactionDto,
  AuthenticateCardDto,
  SimulateCardDto,
  TriggerEventDto,
} from './sandbox.dto';
import { SandboxService } from './sandbox.service';
import { SandboxBillers } from '../bills/providers/sandbox/sandbox-billers.service';
import { CardAuthenticationDto } from '../cards/card-authentication.dto';
import { CardTransactionDto } from '../cards/card-transaction.dto';
import { PaymentReads } from '../payments/payment-reads';
import { SandboxDesk } from '../payments/sandbox/sandbox.provider';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import { OutsideService } from './outside.service';
import { CompletePaymentDto, SandboxScenariosDto } from './scenarios.dto';
import { SandboxTransferBank } from '../virtual-accounts/sandbox/sandbox.provider';
import { VirtualAccountsService } from '../virtual-accounts/virtual-accounts.service';

class KeyModeMismatch extends DomainError {
  constructor() {
    super({
      code: 'key_mode_mismatch',
      kind: 'forbidden',
      title: 'Key of the other mode',
      detail: 'The sandbox takes test keys only.',
      recovery: 'caller_must_fix',
    });
  }
}

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

/** The sandbox never touches live data. */
@Injectable()
class TestModeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<{ caller: Caller }>().caller.livemode) throw new KeyModeMismatch();
    return true;
  }
}

/** Only with test keys. */
@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox')
@UseGuards(TestModeGuard)
export class SandboxController {
  constructor(
    private readonly sandbox: SandboxService,
    private readonly samples: SamplesService,
    private readonly cards: CardMoneyService,
    private readonly transactions: TransactionResources,
    private readonly resources: Resources,
  ) {}

  @Post('wallets/:id/credit')
  @ApiOperation({ operationId: 'credit_sandbox_wallet', summary: 'Put test money into a wallet' })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The money is in the wallet.' })
  @ApiOkResponse({
    ...TRANSACTION,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async credit(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: CreditWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const credit = {
      walletId: id,
      amount: BigInt(dto.amount),
      reference: dto.reference ?? null,
      metadata: dto.metadata ?? {},
    };
    if (dto.dry_run) {
      const preview = await this.sandbox.previewCredit(caller, credit, request);
      return answer(TransactionDto.ofPreview(preview), { dryRun: true });
    }
    const { made, replayedBy } = await this.sandbox.credit(caller, credit, request);
    return answer(await this.transactions.transaction(caller, made), { replayedBy });
  }

  @Post('reset')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reset_sandbox',
    summary: 'Empty all test cards and wallets, end all outages and set the clock back; history stays',
  })
  @ApiOkResponse({ type: SandboxResetDto })
  async reset(@CurrentCaller() caller: Caller, @IdempotentRequest() { key }: RequestClaim): Promise<SandboxResetDto> {
    // Onto the wallets first: from there it goes with their own money.
    await this.cards.emptyAll(caller, key);
    return SandboxResetDto.of(await this.sandbox.reset(caller, key));
  }

  @Post('events/trigger')
  @ApiOperation({
    operationId: 'trigger_sandbox_event',
    summary: 'Make an event of a type, about the newest thing of yours that it could be about; nothing else happens',
  })
  @ApiCreatedResponse({
    schema: { $ref: getSchemaPath('EventDto') },
    description: 'The event; your endpoints are told of it.',
  })
  async trigger(
    @CurrentCaller() caller: Caller,
    @Body() { type }: TriggerEventDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const { id, isReplay } = await this.samples.trigger(caller, type, request);
    return answer(await this.resources.present(caller, 'evt', id), { replayedBy: isReplay ? 'key' : null });
  }
}

@ApiTags('Sandbox')
@Controller('v4/sandbox/clock')
@UseGuards(TestModeGuard)
export class ClockController {
  constructor(
    private readonly clock: Clock,
    private readonly wakers: Wakers,
  ) {}

  @Get()
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'get_sandbox_clock', summary: 'Read the clock of your test mode' })
  @ApiOkResponse({ type: SandboxClockDto })
  async get(@CurrentCaller() caller: Caller): Promise<SandboxClockDto> {
    return SandboxClockDto.of(await this.clock.offsetMs(caller));
  }

  @Post('advance')
  @HttpCode(200)
  @Scope('sandbox:write')
  @ApiOperation({
    operationId: 'advance_sandbox_clock',
    summary: 'Move the clock of your test mode forward, and do what became due',
  })
  @ApiOkResponse({
    type: SandboxClockDto,
    description: 'The clock moved, and what became due was done; webhooks that became due are on their way.',
  })
  async advance(
    @CurrentCaller() caller: Caller,
    @Body() { seconds }: AdvanceClockDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<SandboxClockDto> {
    const isMoved = await this.clock.advance(caller.accountId, seconds * 1_000, request);
    await this.wakers.wake(caller.accountId);
    return answer(await this.get(caller), { changed: true, replayedBy: isMoved ? null : 'key' });
  }
}

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
    const { made, replayedBy } = await this.outside.settle(caller, id, status, request);
    return answer(TransactionDto.of(made), { changed: true, replayedBy });
  }

  @Get('providers/outages')
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'list_sandbox_outages', summary: 'List the outages that last in your test mode' })
  @ApiOkResponse({ type: SandboxOutageListDto, description: 'All of them, by the name of the provider.' })
  async outages(@CurrentCaller() { accountId }: Caller): Promise<SandboxOutageListDto> {
    const outages = await this.operator.listOutages(accountId);
    const data = outages.map((outage) => ({ object: 'sandbox_outage' as const, ...outage, livemode: false }));
    return { object: 'list', data, has_more: false, next_cursor: null };
  }

  @Post('providers/outage')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'set_sandbox_outage',
    summary: 'Make a test provider down, slow or flaky for your account, or well again',
  })
  @ApiOkResponse({ type: SandboxOutageDto })
  async setOutage(
    @CurrentCaller() caller: Caller,
    @Body() dto: SetOutageDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<SandboxOutageDto> {
    const { made, replayedBy } = await this.outside.setOutage(caller, dto, request);
    return answer({ object: 'sandbox_outage', ...made, livemode: false }, { changed: true, replayedBy });
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
      told: {
        merchantAmount: dto.merchant_amount ? BigInt(dto.merchant_amount) : null,
        merchantCurrency: dto.merchant_currency ?? null,
        fxRate: dto.fx_rate ?? null,
        fees: dto.fees ?? null,
      },
    };
    const { made, replayedBy } = await this.outside.simulate(caller, id, simulation, request);
    return answer(CardTransactionDto.of(made), { replayedBy });
  }

  @Post('cards/:id/authenticate')
  @ApiOperation({
    operationId: 'simulate_card_authentication',
    summary: "Have the card's issuer ask for a code of one time (3-D Secure)",
  })
  @ApiCreatedResponse({
    type: CardAuthenticationDto,
    description: 'The code is on its way to endpoints with `include_secrets`; here it is masked.',
  })
  async authenticate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { amount, merchant }: AuthenticateCardDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CardAuthenticationDto> {
    const about = { amount: amount ? BigInt(amount) : null, merchant: merchant ? { ...merchant } : null };
    const { made, replayedBy } = await this.outside.authenticate(caller, id, about, request);
    return answer(made, { replayedBy });
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
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const payment = await this.payments.require(caller, id);
    const { made, replayedBy } = await this.desk.completeOnce(payment, status, request);
    return answer(this.payments.show(made), { changed: true, replayedBy });
  }
}

/** Plays whoever pays by bank transfer. */
@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox/virtual-accounts')
@UseGuards(TestModeGuard)
export class TransfersInController {
  constructor(
    private readonly bank: SandboxTransferBank,
    private readonly accounts: VirtualAccountsService,
  ) {}

  @Post(':id/deposit')
  @ApiOperation({
    operationId: 'deposit_into_sandbox_virtual_account',
    summary: 'Play a payer: transfer test money to a virtual account, and have its bank call back',
  })
  @ApiCreatedResponse({ type: SandboxTransferDto, description: 'The transfer after the callback.' })
  async deposit(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { amount, payer_name: payerName }: PayVirtualAccountDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<SandboxTransferDto> {
    const account = await this.accounts.require(caller, id);
    const transfer = { amount: BigInt(amount), payerName: payerName ?? 'Ada Obi' };
    const { made, replayedBy } = await this.bank.pay(caller, account, transfer, request);
    return answer(SandboxTransferDto.of(made, id), { replayedBy });
  }
}

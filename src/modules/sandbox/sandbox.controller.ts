import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Clock } from '../../core/clock/clock';
import { Wakers } from '../../core/clock/wakers';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardMoneyService } from '../cards/card-money.service';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { TransactionDto } from '../transactions/transaction.dto';
import { WebhookResources } from '../webhooks/webhook-resources.service';
import { SamplesService } from './samples.service';
import { AdvanceClockDto, CreditWalletDto, SandboxClockDto, SandboxResetDto, TriggerEventDto } from './sandbox.dto';
import { SandboxService } from './sandbox.service';
import { TestModeGuard } from './test-mode.guard';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

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
    private readonly events: WebhookResources,
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
    const { transactionId, replayedBy } = await this.sandbox.credit(caller, credit, request);
    return answer(await this.transactions.transaction(caller, transactionId), { replayedBy });
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
    return answer(await this.events.event(caller, id), { replayedBy: isReplay ? 'key' : null });
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

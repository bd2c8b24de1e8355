import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardMoneyService } from '../cards/card-money.service';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { CreditsService } from './credits.service';
import { CreditWalletDto, SandboxResetDto } from './sandbox.dto';
import { SandboxService } from './sandbox.service';
import { TestModeGuard } from './test-mode.guard';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

/** Only with test keys. */
@ApiTags('Sandbox')
@Controller('v4/sandbox')
@UseGuards(TestModeGuard)
export class SandboxController {
  constructor(
    private readonly sandbox: SandboxService,
    private readonly credits: CreditsService,
    private readonly transactions: TransactionResources,
    private readonly cards: CardMoneyService,
  ) {}

  @Post('wallets/:id/credit')
  @Scope('sandbox:write')
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
    if (dto.dry_run)
      return answer(this.transactions.preview(await this.credits.preview(caller, credit, request)), { dryRun: true });
    const { transactionId, replayedBy } = await this.credits.credit(caller, credit, request);
    return answer(await this.transactions.transaction(caller, transactionId), { replayedBy });
  }

  @Post('reset')
  @HttpCode(200)
  @Scope('sandbox:write')
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
}

import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { found } from '../../core/errors/not-found';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { SandboxOutageDto, SetOutageDto, SettleTransactionDto } from './sandbox-purchases.dto';
import { SettlementsService } from './settlements.service';
import { TestModeGuard } from './test-mode.guard';

/** Plays the operators and providers that purchases depend on. */
@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox')
@UseGuards(TestModeGuard)
export class SandboxPurchasesController {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly operator: SandboxOperator,
    private readonly transactions: TransactionResources,
  ) {}

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
    const { transaction, replayedBy } = await this.settlements.settle(caller, id, status, request);
    return answer(this.transactions.show(transaction), { changed: true, replayedBy });
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
    const name = found(
      this.operator.scenarios.providers.find((known) => known === provider),
      'sandbox provider',
      '/provider',
    );
    await this.operator.setOutage(accountId, name, mode);
    return { object: 'sandbox_outage', provider: name, mode, livemode: false };
  }
}

import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { TakesRaw } from '../../core/http/body-parsers';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Public, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { callbackOf } from '../../providers/answers';
import { Approvals } from '../transactions/approvals';
import { TransactionDto } from '../transactions/transaction.dto';
import { QueuedPurchases } from './queued-purchases';
import { PurchaseCallbacks } from './purchase-callbacks';
import { PurchaseRequeries } from './purchase-requeries';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Transactions')
@Controller('v4/transactions')
export class PurchasesController {
  constructor(
    private readonly requeries: PurchaseRequeries,
    private readonly queued: QueuedPurchases,
    private readonly approvals: Approvals,
  ) {}

  @Post(':id/requery')
  @Scope('purchases:write', 'payouts:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'requery_transaction',
    summary: 'Ask the provider now what became of a running purchase or payout',
  })
  @ApiOkResponse({ ...TRANSACTION, description: 'The purchase or payout after the answer.' })
  async requery(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const { made, replayedBy } = await this.requeries.requery(caller, id, request);
    return answer(TransactionDto.of(made), { changed: true, replayedBy });
  }

  @Post(':id/cancel')
  @Scope('purchases:write', 'payouts:write', 'payments:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancel_transaction',
    summary: 'Cancel a purchase, a payout or a refund that nobody was asked for yet',
  })
  @ApiOkResponse({ ...TRANSACTION, description: 'The cancelled purchase, payout or refund.' })
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const { made, replayedBy } = await this.approvals.cancel(caller, id, request, this.queued);
    return answer(TransactionDto.of(made), { changed: true, replayedBy });
  }
}

/** Where providers call. They have no key: their signature over the raw bytes stands for it. */
@Public()
@ApiExcludeController()
@Controller('callbacks/purchases')
export class PurchaseCallbacksController {
  constructor(private readonly callbacks: PurchaseCallbacks) {}

  @Post(':provider')
  @HttpCode(200)
  @TakesRaw()
  async receive(
    @Param('provider') provider: string,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
  ): Promise<{ received: true }> {
    await this.callbacks.receive(provider, callbackOf(body, request));
    return { received: true };
  }
}

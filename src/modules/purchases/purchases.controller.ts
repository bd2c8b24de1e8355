import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { Scope } from '../../core/http/route-markers';
import { TransactionDto } from '../transactions/transaction.dto';
import { QueuedPurchases } from './queued-purchases';
import { PurchaseRequeries } from './purchase-requeries';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Transactions')
@Scope('purchases:write')
@Controller('v4/transactions')
export class PurchasesController {
  constructor(
    private readonly requeries: PurchaseRequeries,
    private readonly queued: QueuedPurchases,
  ) {}

  @Post(':id/requery')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'requery_transaction',
    summary: 'Ask the provider now what became of a running purchase',
  })
  @ApiOkResponse({ ...TRANSACTION, description: 'The purchase after the answer.' })
  async requery(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return TransactionDto.of(await this.requeries.requery(caller, id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({ operationId: 'cancel_transaction', summary: 'Cancel a purchase that no provider was asked for yet' })
  @ApiOkResponse({ ...TRANSACTION, description: 'The cancelled purchase.' })
  async cancel(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return TransactionDto.of(await this.queued.cancel(caller, id));
  }
}

import { Body, Controller, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { Scope } from '../../core/http/route-markers';
import { PurchaseTerms, type PurchaseTermsOfRequest, SandboxScenarioHeader } from '../purchases/purchase-request.dto';
import { isRunning } from '../purchases/running';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { BuyDataDto, toWantedData } from './data.dto';
import { DataService } from './data.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Data')
@Controller('v4/data')
export class DataController {
  constructor(
    private readonly data: DataService,
    private readonly transactions: TransactionResources,
  ) {}

  @Post('purchase')
  @SandboxScenarioHeader()
  @Scope('purchases:write')
  @ApiOperation({ operationId: 'buy_data', summary: 'Send a data plan to a phone' })
  @ApiCreatedResponse({
    ...TRANSACTION,
    description: 'The purchase is final: `successful`, `failed` with the money back in the wallet, or `cancelled`.',
  })
  @ApiAcceptedResponse({
    ...TRANSACTION,
    description: 'The purchase goes on; events and `GET /v4/transactions/{id}` tell how it ends.',
  })
  @ApiOkResponse({
    ...TRANSACTION,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async purchase(
    @CurrentCaller() caller: Caller,
    @Body() dto: BuyDataDto,
    @PurchaseTerms() terms: PurchaseTermsOfRequest,
  ): Promise<object> {
    const wanted = toWantedData(dto, terms);
    if (dto.dry_run)
      return answer(this.transactions.preview(await this.data.preview(caller, wanted)), { dryRun: true });
    const { transaction, replayedBy } = await this.data.buy(caller, wanted, terms.claim);
    return answer(this.transactions.show(transaction), {
      replayedBy,
      running: isRunning(transaction.status),
      waitedFor: terms.preferredWait,
    });
  }
}

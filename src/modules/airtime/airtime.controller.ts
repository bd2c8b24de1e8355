import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import type { List } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { PurchaseTerms, type PurchaseTermsOfRequest, SandboxScenarioHeader } from '../purchases/purchase-request.dto';
import { isRunning } from '../purchases/running';
import { TransactionDto } from '../transactions/transaction.dto';
import {
  AirtimeDetailsDto,
  BuyAirtimeDto,
  NetworkDto,
  NetworkListDto,
  NetworksQuery,
  toWantedAirtime,
} from './airtime.dto';
import { AirtimeService } from './airtime.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Airtime')
@ApiExtraModels(AirtimeDetailsDto)
@Controller('v4/airtime')
export class AirtimeController {
  constructor(private readonly airtime: AirtimeService) {}

  @Post('purchase')
  @SandboxScenarioHeader()
  @Scope('purchases:write')
  @ApiOperation({ operationId: 'buy_airtime', summary: 'Send airtime to a phone' })
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
    @Body() dto: BuyAirtimeDto,
    @PurchaseTerms() terms: PurchaseTermsOfRequest,
  ): Promise<object> {
    const wanted = toWantedAirtime(dto, terms);
    if (dto.dry_run)
      return answer(TransactionDto.ofPreview(await this.airtime.preview(caller, wanted)), { dryRun: true });
    const { made, replayedBy } = await this.airtime.buy(caller, wanted, terms.claim);
    return answer(TransactionDto.of(made), {
      running: isRunning(made.status),
      replayedBy,
      waitedFor: terms.preferredWait,
    });
  }

  @Get('networks')
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'list_airtime_networks', summary: 'List the mobile networks, by country and slug' })
  @ApiOkResponse({ type: NetworkListDto })
  async networks(@CurrentCaller() caller: Caller, @Query() { country }: NetworksQuery): Promise<List<NetworkDto>> {
    const networks = await this.airtime.listNetworks(caller, country ?? null);
    return { object: 'list', data: networks.map(NetworkDto.of), has_more: false, next_cursor: null };
  }
}

import { Body, Controller, Get, Headers, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { Kept, unlessKept } from '../../core/http/etag';
import { Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { PurchaseTerms, type PurchaseTermsOfRequest, SandboxScenarioHeader } from '../purchases/purchase-request.dto';
import { isRunning } from '../purchases/running';
import { TransactionDto } from '../transactions/transaction.dto';
import { DataPlansService } from './data-plans.service';
import {
  BuyDataDto,
  CatalogueUpdateDto,
  DataDetailsDto,
  DataPlanDto,
  DataPlanListDto,
  DataPlansQuery,
  toWantedData,
} from './data.dto';
import { DataService } from './data.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Data')
@ApiExtraModels(CatalogueUpdateDto, DataDetailsDto)
@Controller('v4/data')
export class DataController {
  constructor(
    private readonly data: DataService,
    private readonly plans: DataPlansService,
    private readonly pages: Pages,
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
    if (dto.dry_run) return answer(TransactionDto.ofPreview(await this.data.preview(caller, wanted)), { dryRun: true });
    const { made, replayedBy } = await this.data.buy(caller, wanted, terms.claim);
    return answer(TransactionDto.of(made), {
      replayedBy,
      running: isRunning(made.status),
      waitedFor: terms.preferredWait,
    });
  }

  @Get('plans')
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'list_data_plans', summary: 'List the data plans on sale, by code' })
  @Kept(DataPlanListDto)
  async listPlans(
    @CurrentCaller() caller: Caller,
    @Query() query: DataPlansQuery,
    @Headers('if-none-match') kept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DataPlanListDto | undefined> {
    const page = this.pages.open(caller, 'data_plans', query);
    const { version, plans } = await this.plans.list(query, page.after?.[0] ?? null, page.take);
    const deliverable = await this.data.deliverable(caller, plans);
    const list = page.of(
      plans,
      (plan) => DataPlanDto.of(plan, deliverable.has(plan.network)),
      ({ planCode }) => [planCode],
    );
    return unlessKept(reply, kept, { ...list, catalogue_version: version });
  }
}

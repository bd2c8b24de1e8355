import { createHash } from 'node:crypto';
import { Body, Controller, Get, Headers, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
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

const ETAG = {
  type: 'string',
  maxLength: 64,
  pattern: '^[\\x20-\\x7e]*$',
  example: '"9f86d081884c7d659a2feaa0"',
} as const;

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
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of an answer that you kept.',
    schema: { ...ETAG, maxLength: 1024 },
  })
  @ApiOkResponse({
    type: DataPlanListDto,
    headers: { ETag: { description: 'Names this answer: send it as `If-None-Match` next time.', schema: ETAG } },
  })
  @ApiResponse({ status: 304, description: 'The answer that you kept is still good.' })
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

/**
 * The body, or 304 without one where the client has it already: what it names must be this very answer, of this
 * account.
 */
function unlessKept<T extends object>(reply: FastifyReply, kept: string | undefined, body: T): T | undefined {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)}"`;
  // Unlike other answers it may be kept, and must be asked about before each use.
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const isKept =
    kept !== undefined && kept.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  if (!isKept) return body;
  reply.code(304);
  return undefined;
}

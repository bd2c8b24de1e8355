import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { CatalogueUpdateDto } from './catalogue-update.dto';
import { DataService } from './data.service';
import { DataPlanDto, DataPlanListDto, DataPlansQuery } from './data-plan.dto';
import { DataPlansService } from './data-plans.service';

const ETAG = {
  type: 'string',
  maxLength: 64,
  pattern: '^[\\x20-\\x7e]*$',
  example: '"9f86d081884c7d659a2feaa0"',
} as const;

@ApiTags('Data')
@ApiExtraModels(CatalogueUpdateDto)
@Controller('v4/data')
export class DataPlansController {
  constructor(
    private readonly plans: DataPlansService,
    private readonly data: DataService,
    private readonly pages: Pages,
  ) {}

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
  async list(
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

/** The body, or 304 without one where the client has it already: what it names must be this very answer, of this account. */
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

import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, preferredWait, WAIT_SECONDS_DEFAULT } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { type List, Pages } from '../../../core/http/pages';
import { Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { CreateDisputeDto, DisputeDto, DisputeListDto, DisputesQuery, toDispute } from './dispute.dto';
import { isAsked } from './dispute-run';
import { DisputeStore } from './dispute-store';
import { DisputesService } from './disputes.service';

/** What was paid by card and is not accepted. */
@ApiTags('Cards')
@Controller('v4')
export class DisputesController {
  constructor(
    private readonly disputes: DisputesService,
    private readonly store: DisputeStore,
    private readonly pages: Pages,
  ) {}

  @Post('card-transactions/:id/disputes')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'create_dispute', summary: 'Dispute what was paid by card, or a part of it' })
  @ApiCreatedResponse({ type: DisputeDto, description: 'The issuer has taken it up, or has decided.' })
  @ApiAcceptedResponse({ type: DisputeDto, description: 'The issuer did not say yet: it is asked again.' })
  @ApiOkResponse({
    type: DisputeDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: CreateDisputeDto,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<DisputeDto> {
    const wanted = toDispute(dto);
    if (dto.dry_run) {
      const preview = DisputeDto.of(await this.disputes.preview(caller, id, wanted));
      return answer({ ...preview, id: null }, { dryRun: true });
    }
    const { waitMs, waitedFor } = waitOf(prefer);
    const { made, replayedBy } = await this.disputes.open(caller, id, { wanted, request, waitMs });
    return answer(DisputeDto.of(made), { running: isAsked(made), replayedBy, waitedFor });
  }

  @Get('disputes')
  @Scope('cards:read')
  @ApiOperation({ operationId: 'list_disputes', summary: 'List disputes, newest first' })
  @ApiOkResponse({ type: DisputeListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: DisputesQuery): Promise<List<DisputeDto>> {
    const page = this.pages.open(caller, 'disputes', query);
    const rows = await this.store.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, DisputeDto.of, ({ id }) => [id]);
  }

  @Get('disputes/:id')
  @Scope('cards:read')
  @ApiOperation({ operationId: 'get_dispute', summary: 'Fetch a dispute' })
  @ApiOkResponse({ type: DisputeDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<DisputeDto> {
    return DisputeDto.of(await this.store.require(caller, id));
  }

  @Post('disputes/:id/withdraw')
  @Scope('cards:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'withdraw_dispute', summary: 'Ask the issuer to let a dispute go' })
  @ApiOkResponse({ type: DisputeDto, description: 'It is withdrawn, or `withdrawal` says that the issuer refuses.' })
  @ApiAcceptedResponse({ type: DisputeDto, description: 'The issuer did not say yet: it is asked again.' })
  async withdraw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<DisputeDto> {
    const { waitMs, waitedFor } = waitOf(prefer);
    const { made, replayedBy } = await this.disputes.withdraw(caller, id, { request, waitMs });
    return answer(DisputeDto.of(made), { changed: !isAsked(made), running: isAsked(made), replayedBy, waitedFor });
  }
}

function waitOf(prefer: string | undefined): { waitMs: number; waitedFor: number | null } {
  const waitedFor = preferredWait(prefer);
  return { waitMs: (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000, waitedFor };
}

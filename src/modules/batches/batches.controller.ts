import { Body, Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { TakesRows } from '../../core/http/body-parsers';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { Batch, ItemStatus } from './batch.entity';
import {
  BatchDto,
  BatchesQuery,
  BatchItemDto,
  BatchItemListDto,
  BatchItemsQuery,
  BatchListDto,
  CreateBatchDto,
  OUTCOME_COLUMNS,
  outcomeCells,
  toWantedBatch,
} from './batch.dto';
import { BatchStore } from './batch-store';
import { BatchesService, type Control } from './batches.service';
import { cellOf } from './csv-rows';

/** What a batch of JSON shows of what was sent. */
const JSON_COLUMNS = ['number', 'reference', 'input'];

@ApiTags('Batches')
@Controller('v4/batches')
export class BatchesController {
  constructor(
    private readonly batches: BatchesService,
    private readonly store: BatchStore,
    private readonly pages: Pages,
  ) {}

  @Post()
  @TakesRows()
  @Scope('batches:write')
  @ApiOperation({
    operationId: 'create_batch',
    summary: 'Place up to 10,000 orders at once',
    description:
      'Validates and prices all rows, then carries each out as its own route would. As JSON, or as text/csv with all ' +
      'fields but the rows in the query string. Also needs the scope of the route of its `kind`',
  })
  @ApiAcceptedResponse({ type: BatchDto, description: 'The rows are kept and will be looked at.' })
  @ApiCreatedResponse({ type: BatchDto, description: 'With `all_or_nothing`: all of it took place.' })
  @ApiOkResponse({
    type: BatchDto,
    description: 'A dry run with `all_or_nothing`, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateBatchDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BatchDto> {
    const wanted = toWantedBatch(dto);
    if (wanted.dryRun && wanted.onError === 'all_or_nothing')
      return answer(BatchDto.ofPreview(await this.batches.preview(caller, wanted, request)), { dryRun: true });
    const { made, replayedBy } = await this.batches.create(caller, wanted, request);
    return answer(BatchDto.of(made), { running: made.completedAt === null, replayedBy });
  }

  @Get()
  @Scope('batches:read')
  @ApiOperation({ operationId: 'list_batches', summary: 'List batches, newest first' })
  @ApiOkResponse({ type: BatchListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: BatchesQuery): Promise<List<BatchDto>> {
    const page = this.pages.open(caller, 'batches', query);
    const rows = await this.store.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, BatchDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('batches:read')
  @ApiOperation({ operationId: 'get_batch', summary: 'Fetch a batch' })
  @ApiOkResponse({ type: BatchDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BatchDto> {
    return BatchDto.of(await this.batches.require(caller, id));
  }

  @Get(':id/items')
  @Scope('batches:read')
  @ApiOperation({ operationId: 'list_batch_items', summary: 'List the rows of a batch, in their order' })
  @ApiOkResponse({
    type: BatchItemListDto,
    description: 'A page, or with `format=csv` what was sent with the outcome beside it, as text/csv.',
  })
  async items(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: BatchItemsQuery,
  ): Promise<List<BatchItemDto> | StreamableFile> {
    const batch = await this.batches.require(caller, id);
    if (query.format === 'csv')
      return csvFile(
        'batch.csv',
        [...(batch.columns ?? JSON_COLUMNS), ...OUTCOME_COLUMNS],
        this.rows(batch, query.status),
      );
    const page = this.pages.open(caller, `batch_items:${batch.id}`, query);
    const after = page.after === null ? null : Number(page.after[0]);
    const rows = await this.store.listItems(batch, query.status, after, page.take);
    return page.of(rows, BatchItemDto.of, ({ number }) => [String(number)]);
  }

  @Post(':id/pause')
  @Scope('batches:write')
  @ApiOperation({ operationId: 'pause_batch', summary: 'Begin no further row until the batch is resumed' })
  @ApiOkResponse({ type: BatchDto, description: 'Rows that are begun go on to their end.' })
  pause(@CurrentCaller() caller: Caller, @Param('id') id: string, @IdempotentRequest() request: RequestClaim) {
    return this.control(caller, id, 'pause', request);
  }

  @Post(':id/resume')
  @Scope('batches:write')
  @ApiOperation({ operationId: 'resume_batch', summary: 'Go on with a batch that was paused' })
  @ApiOkResponse({ type: BatchDto })
  resume(@CurrentCaller() caller: Caller, @Param('id') id: string, @IdempotentRequest() request: RequestClaim) {
    return this.control(caller, id, 'resume', request);
  }

  @Post(':id/cancel')
  @Scope('batches:write')
  @ApiOperation({ operationId: 'cancel_batch', summary: 'Begin no further row of a batch, for good' })
  @ApiOkResponse({ type: BatchDto, description: 'Rows that are begun go on to their end.' })
  cancel(@CurrentCaller() caller: Caller, @Param('id') id: string, @IdempotentRequest() request: RequestClaim) {
    return this.control(caller, id, 'cancel', request);
  }

  private async control(caller: Caller, id: string, control: Control, request: RequestClaim): Promise<BatchDto> {
    const { made, replayedBy } = await this.batches.control(caller, id, control, request);
    return answer(BatchDto.of(made), { changed: true, replayedBy });
  }

  private async *rows({ columns, ...batch }: Batch, status: readonly ItemStatus[] | undefined): AsyncGenerator<object> {
    for await (const item of this.store.streamItems(batch, status)) {
      const shown = BatchItemDto.of(item);
      const { number, reference, input } = shown;
      const sent =
        columns === null
          ? { number, reference, input }
          : Object.fromEntries(columns.map((column) => [column, cellOf(input, column)]));
      yield { ...sent, ...outcomeCells(shown) };
    }
  }
}

import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type AskedRequest, ShownTimes } from '../../core/clock/shown-times';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { TimelineDto } from './timeline.dto';
import { TimelineService } from './timeline.service';
import { TransactionResources } from './transaction-resources.service';
import { TransactionDto, TransactionListDto, TransactionsQuery } from './transaction.dto';
import { TransactionsService } from './transactions.service';

const CSV_COLUMNS = [
  'id',
  'created_at',
  'type',
  'direction',
  'status',
  'wallet_id',
  'counterparty',
  'amount',
  'fee',
  'commission',
  'total',
  'currency',
  'balance_before',
  'balance_after',
  'reference',
  'recipient',
  'completed_at',
];

/** Records of money movements, in both families of the interface. */
@ApiTags('Transactions')
@Scope('transactions:read')
@Controller()
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly timelines: TimelineService,
    private readonly pages: Pages,
    private readonly resources: TransactionResources,
    private readonly times: ShownTimes,
  ) {}

  @Get('v4/transactions')
  @ApiOperation({ operationId: 'list_transactions', summary: 'List transactions, newest first' })
  @ApiOkResponse({ type: TransactionListDto, description: 'A page, or with `format=csv` every match as text/csv.' })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: TransactionsQuery,
    @Req() request: AskedRequest,
  ): Promise<List<TransactionDto> | StreamableFile> {
    if (query.format === 'csv')
      return csvFile('transactions.csv', CSV_COLUMNS, await this.times.rows(request, this.rows(caller, query)));
    const page = this.pages.open(caller, 'transactions', query);
    const rows = await this.transactions.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, TransactionDto.of, ({ id }) => [id]);
  }

  @Get('api/v1/transactions')
  @ApiOperation({
    operationId: 'list_transactions_v1',
    summary: 'List transactions, newest first (older family, same records)',
  })
  @ApiOkResponse({ type: TransactionListDto, description: 'A page, or with `format=csv` every match as text/csv.' })
  listV1(
    @CurrentCaller() caller: Caller,
    @Query() query: TransactionsQuery,
    @Req() request: AskedRequest,
  ): Promise<List<TransactionDto> | StreamableFile> {
    return this.list(caller, query, request);
  }

  @Get('v4/transactions/:id')
  @ApiOperation({
    operationId: 'get_transaction',
    summary:
      'Fetch a transaction by its id or by your reference; with its meter tokens and PINs for a key ' +
      'with the scope tokens:reveal',
  })
  @ApiOkResponse({ type: TransactionDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TransactionDto> {
    return this.resources.shownTo(caller, await this.transactions.require(caller, id));
  }

  @Get('v4/transactions/:id/timeline')
  @ApiOperation({
    operationId: 'get_transaction_timeline',
    summary: 'Fetch what happened to a transaction, oldest first',
  })
  @ApiOkResponse({ type: TimelineDto })
  async timeline(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TimelineDto> {
    const items = await this.timelines.of(await this.transactions.require(caller, id));
    return { object: 'list', data: items, has_more: false, next_cursor: null };
  }

  private async *rows(caller: Caller, query: TransactionsQuery): AsyncGenerator<TransactionDto> {
    for await (const transaction of this.transactions.stream(caller, query)) yield TransactionDto.of(transaction);
  }
}

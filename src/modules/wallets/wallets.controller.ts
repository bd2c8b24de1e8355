import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type AskedRequest, ShownTimes } from '../../core/clock/shown-times';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { EntriesQuery, EntryDto, EntryListDto } from './entry.dto';
import { positionOf, StatementsService } from './statements.service';
import { WalletDto, WalletListDto, WalletQuery, WalletsQuery } from './wallet.dto';
import { WalletsService } from './wallets.service';

const CSV_COLUMNS = ['id', 'created_at', 'sequence', 'bucket', 'amount', 'currency', 'balance_after', 'transaction_id'];

@ApiTags('Wallets')
@Controller('v4/wallets')
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly statements: StatementsService,
    private readonly pages: Pages,
    private readonly times: ShownTimes,
  ) {}

  @Get()
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'list_wallets', summary: 'List wallets, newest first' })
  @ApiOkResponse({ type: WalletListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: WalletsQuery): Promise<List<WalletDto>> {
    const page = this.pages.open(caller, 'wallets', query);
    const rows = await this.wallets.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, WalletDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'get_wallet', summary: 'Fetch a wallet and its balance, now or at a moment' })
  @ApiOkResponse({ type: WalletDto })
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { at }: WalletQuery,
  ): Promise<WalletDto> {
    const wallet = await this.wallets.require(caller, decodeId('wal', id));
    return WalletDto.of(at ? await this.statements.at(wallet, at) : wallet);
  }

  @Get(':id/entries')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'list_wallet_entries', summary: 'List the ledger entries of a wallet, newest first' })
  @ApiOkResponse({ type: EntryListDto, description: 'A page, or with `format=csv` the whole statement as text/csv.' })
  async entries(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: EntriesQuery,
    @Req() request: AskedRequest,
  ): Promise<List<EntryDto> | StreamableFile> {
    const wallet = await this.wallets.require(caller, decodeId('wal', id));
    if (query.format === 'csv') {
      const rows = EntryDto.stream(this.statements.stream(wallet, query), wallet);
      return csvFile('statement.csv', CSV_COLUMNS, await this.times.rows(request, rows));
    }
    const page = this.pages.open(caller, `entries:${wallet.id}`, query);
    const rows = await this.statements.page(wallet, query, page.after, page.take);
    return page.of(rows, (entry) => EntryDto.of(entry, wallet), positionOf);
  }
}

import {
  Body,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Param,
  Patch,
  Post,
  Query,
  Req,
  type StreamableFile,
} from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type AskedRequest, ShownTimes } from '../../core/clock/shown-times';
import { Env } from '../../core/config/env';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId, timeOf } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { HasQuota, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { type PresentOptions, Presents, type Viewer } from '../../core/resources/resources';
import { AccountsService } from '../accounts/accounts.service';
import { TransferDto } from './transfer.dto';
import { TransfersService } from './transfers.service';
import {
  AccountDto,
  type BalanceDto,
  CreateWalletDto,
  EntriesQuery,
  EntryDto,
  EntryListDto,
  FreezeWalletDto,
  HoldListDto,
  toChanges,
  toFreeze,
  toNewWallet,
  UpdateWalletDto,
  versionOf,
  WalletDto,
  WalletListDto,
  WalletQuery,
  WalletsQuery,
} from './wallet.dto';
import { WalletChangesService } from './wallet-changes.service';
import { positionOf, WalletsService } from './wallets.service';

const CSV_COLUMNS = ['id', 'created_at', 'sequence', 'bucket', 'amount', 'currency', 'balance_after', 'transaction_id'];

@ApiTags('Wallets')
@Controller('v4/wallets')
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly changes: WalletChangesService,
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
    return WalletDto.of(at ? await this.wallets.at(wallet, at) : wallet);
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
      const rows = EntryDto.stream(this.wallets.streamEntries(wallet, query), wallet);
      return csvFile('statement.csv', CSV_COLUMNS, await this.times.rows(request, rows));
    }
    const page = this.pages.open(caller, `entries:${wallet.id}`, query);
    const rows = await this.wallets.listEntries(wallet, query, page.after, page.take);
    return page.of(rows, (entry) => EntryDto.of(entry, wallet), positionOf);
  }

  @Get(':id/holds')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'list_wallet_holds', summary: 'Show what of a wallet is held, and by what' })
  @ApiOkResponse({ type: HoldListDto })
  async holds(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HoldListDto> {
    const wallet = await this.wallets.require(caller, decodeId('wal', id));
    return HoldListDto.of(await this.wallets.holds(wallet));
  }

  @Post()
  @Scope('wallets:write')
  @HasQuota()
  @ApiOperation({ operationId: 'create_wallet', summary: 'Create a wallet' })
  @ApiCreatedResponse({ type: WalletDto })
  @ApiOkResponse({ type: WalletDto, description: 'The reference was used before with the same request.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    const { made, replayedBy } = await this.changes.create(caller, toNewWallet(dto), request);
    return answer(WalletDto.of(made), { replayedBy });
  }

  @Patch(':id')
  @Scope('wallets:write')
  @ApiOperation({ operationId: 'update_wallet', summary: 'Change the label, threshold or metadata of a wallet' })
  @ApiOkResponse({ type: WalletDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: UpdateWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    const { made, replayedBy } = await this.changes.update(caller, decodeId('wal', id), toChanges(dto), request);
    return answer(WalletDto.of(made), { changed: true, replayedBy });
  }

  @Post(':id/freeze')
  @Scope('wallets:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'freeze_wallet',
    summary: 'Freeze a wallet: it does not pay, takes no money, or neither, until it is unfrozen or a moment',
    description:
      'What is held already goes its way, and what was paid may come back. Of a wallet that you froze before, ' +
      'another `direction`, `reason` or `until` takes the place of the freeze when `direction` is named.',
  })
  @ApiOkResponse({ type: WalletDto })
  async freeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: FreezeWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    const { made, replayedBy } = await this.changes.freeze(caller, decodeId('wal', id), toFreeze(dto), request);
    return answer(WalletDto.of(made), { changed: true, replayedBy });
  }

  @Post(':id/unfreeze')
  @Scope('wallets:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'unfreeze_wallet', summary: 'Let money move in and out of a frozen wallet again' })
  @ApiOkResponse({ type: WalletDto })
  unfreeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    return this.setStatus(caller, id, 'active', request);
  }

  @Post(':id/close')
  @Scope('wallets:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'close_wallet', summary: 'Close an empty wallet for good' })
  @ApiOkResponse({ type: WalletDto })
  close(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    return this.setStatus(caller, id, 'closed', request);
  }

  private async setStatus(
    caller: Caller,
    id: string,
    status: 'active' | 'closed',
    request: RequestClaim,
  ): Promise<WalletDto> {
    const { made, replayedBy } = await this.changes.setStatus(caller, decodeId('wal', id), status, request);
    return answer(WalletDto.of(made), { changed: true, replayedBy });
  }
}

const WALLETS_MAX = 100;

/** Lives beside the wallets, because accounts know no resource. */
@ApiTags('Account')
@Controller('v4/account')
export class AccountController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly env: Env,
  ) {}

  @Get()
  @Scope('account:read')
  @ApiOperation({
    operationId: 'get_account',
    summary: 'Fetch the account behind the key: name, mode, wallets and limits',
  })
  @ApiOkResponse({ type: AccountDto })
  async get(@CurrentCaller() caller: Caller): Promise<AccountDto> {
    const [account, wallets] = await Promise.all([
      this.accounts.require(caller.accountId),
      this.wallets.list(caller, {}, null, WALLETS_MAX),
    ]);
    return AccountDto.of(
      account,
      caller.livemode,
      wallets,
      caller.livemode ? this.env.RATE_LIMIT_LIVE : this.env.RATE_LIMIT_TEST,
    );
  }
}

/** What an event keeps of its wallet; with `seq` one about money. */
interface SnapshotOfWallet {
  readonly seq?: number;
  readonly balance?: Omit<BalanceDto, 'credit_available'>;
}

/** Shows wallets and transfers to whoever holds only an id. */
@Injectable()
export class WalletResources {
  constructor(
    private readonly wallets: WalletsService,
    private readonly transfers: TransfersService,
  ) {}

  /**
   * Events about money keep what the ledger knew, as little as it can be; the rest is what was said of the wallet then.
   */
  @Presents('wal', 'wallets:read', { knowsThePast: true })
  async wallet(viewer: Viewer, id: string, { at }: PresentOptions = {}): Promise<WalletDto> {
    const wallet = await this.wallets.require(viewer, id);
    const now = WalletDto.of(wallet);
    if (at === undefined) return now;
    const { seq, ...said } = at.snapshot as SnapshotOfWallet;
    // A sample says what it changes.
    if (said.balance === undefined) return { ...now, ...(said as object) };
    // What is usual is left out, and events of before credit lines say nothing of them.
    const snapshot = { credit_limit: 0, freezes: [], ...said, balance: { credit_available: 0, ...said.balance } };
    if (seq === undefined) return { ...now, ...snapshot };
    const { version, label, metadata } = await this.wallets.saidAt(wallet, seq, at.number);
    const unsaid = { status: 'active', low_balance_threshold: null, updated_at: timeOf(at.id) } as const;
    return { ...now, ...unsaid, label, metadata, version: versionOf({ seq: BigInt(seq), version }), ...snapshot };
  }

  @Presents('trf', 'wallets:read')
  async transfer(viewer: Viewer, id: string): Promise<TransferDto> {
    return TransferDto.of(await this.transfers.require(viewer, id));
  }
}

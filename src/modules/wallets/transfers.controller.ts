import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, preferredWait, WAIT_SECONDS_DEFAULT } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { LedgerLineDto } from '../transactions/transaction.dto';
import { asRefusal } from './cell-transfers.service';
import { CreateTransferDto, toWantedTransfer, TransferDto, TransferListDto } from './transfer.dto';
import { type WantedTransfer, TransfersService } from './transfers.service';

@ApiTags('Transfers')
@Controller('v4/wallets')
export class TransfersController {
  constructor(
    private readonly transfers: TransfersService,
    private readonly pages: Pages,
  ) {}

  @Post('transfer')
  @Scope('wallets:write')
  @ApiOperation({ operationId: 'transfer_between_wallets', summary: 'Move money between two wallets' })
  @ApiCreatedResponse({ type: TransferDto, description: 'The money has moved.' })
  @ApiAcceptedResponse({
    type: TransferDto,
    description: 'The money is held, and the wallet to be paid is kept elsewhere: `status` says what became of it.',
  })
  @ApiOkResponse({
    type: TransferDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async transfer(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateTransferDto,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<TransferDto> {
    const order = toWantedTransfer(dto);
    if (dto.dry_run) return answer(await this.preview(caller, order, request), { dryRun: true });
    const waitedFor = preferredWait(prefer);
    const waitMs = (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000;
    const { made, replayedBy } = await this.transfers.transfer(caller, order, request, waitMs);
    // Whoever looks at the status of the answer only must not take it for money that has moved.
    if (made.status === 'failed') throw asRefusal(made);
    return answer(TransferDto.of(made), { running: made.status === 'processing', replayedBy, waitedFor });
  }

  @Get('transfers')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'list_transfers', summary: 'List the transfers that you made, newest first' })
  @ApiOkResponse({ type: TransferListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<List<TransferDto>> {
    const page = this.pages.open(caller, 'transfers', query);
    const rows = await this.transfers.list(caller, page.after?.[0] ?? null, page.take);
    return page.of(rows, TransferDto.of, ({ id }) => [id]);
  }

  @Get('transfers/:id')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'get_transfer', summary: 'Fetch a transfer' })
  @ApiOkResponse({ type: TransferDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TransferDto> {
    return TransferDto.of(await this.transfers.require(caller, decodeId('trf', id)));
  }

  private async preview(caller: Caller, order: WantedTransfer, request: RequestClaim): Promise<TransferDto> {
    const { transfer, posted } = await this.transfers.preview(caller, order, request);
    return TransferDto.ofPreview(transfer, LedgerLineDto.listOf(posted, caller.accountId));
  }
}

import { Body, Controller, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { HasQuota, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CreateWalletDto, toChanges, toNewWallet, UpdateWalletDto, WalletDto } from './wallet.dto';
import { WalletChangesService } from './wallet-changes.service';
import { WalletOpeningService } from './wallet-opening.service';
import type { WalletStatus } from './wallets.states';

@ApiTags('Wallets')
@Scope('wallets:write')
@Controller('v4/wallets')
export class WalletChangesController {
  constructor(
    private readonly opening: WalletOpeningService,
    private readonly changes: WalletChangesService,
  ) {}

  @Post()
  @HasQuota()
  @ApiOperation({ operationId: 'create_wallet', summary: 'Create a wallet' })
  @ApiCreatedResponse({ type: WalletDto })
  @ApiOkResponse({ type: WalletDto, description: 'The reference was used before with the same request.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    const { wallet, replayedBy } = await this.opening.create(caller, toNewWallet(dto), request);
    return answer(WalletDto.of(wallet), { replayedBy });
  }

  @Patch(':id')
  @ApiOperation({ operationId: 'update_wallet', summary: 'Change the label, threshold or metadata of a wallet' })
  @ApiOkResponse({ type: WalletDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: UpdateWalletDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    const { wallet, replayedBy } = await this.changes.update(caller, decodeId('wal', id), toChanges(dto), request);
    return answer(WalletDto.of(wallet), { changed: true, replayedBy });
  }

  @Post(':id/freeze')
  @HttpCode(200)
  @ApiOperation({ operationId: 'freeze_wallet', summary: 'Freeze a wallet: it still receives but does not pay' })
  @ApiOkResponse({ type: WalletDto })
  freeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    return this.setStatus(caller, id, 'frozen', request);
  }

  @Post(':id/unfreeze')
  @HttpCode(200)
  @ApiOperation({ operationId: 'unfreeze_wallet', summary: 'Let a frozen wallet pay again' })
  @ApiOkResponse({ type: WalletDto })
  unfreeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WalletDto> {
    return this.setStatus(caller, id, 'active', request);
  }

  @Post(':id/close')
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

  private async setStatus(caller: Caller, id: string, status: WalletStatus, request: RequestClaim): Promise<WalletDto> {
    const { wallet, replayedBy } = await this.changes.setStatus(caller, decodeId('wal', id), status, request);
    return answer(WalletDto.of(wallet), { changed: true, replayedBy });
  }
}

import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExcludeController,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { answer } from '../../core/http/answer';
import { TakesRaw } from '../../core/http/body-parsers';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { type List, Pages } from '../../core/http/pages';
import { Public, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { callbackOf } from '../../providers/answers';
import { DepositDto, DepositListDto, DepositsQuery } from './deposit.dto';
import { DepositReads } from './deposit-reads';
import { DepositRun } from './deposit-run';
import {
  CreateVirtualAccountDto,
  toNewVirtualAccount,
  VirtualAccountDto,
  VirtualAccountListDto,
  VirtualAccountsQuery,
} from './virtual-account.dto';
import { VirtualAccountsService } from './virtual-accounts.service';

/** Numbers that payers pay into. */
@ApiTags('Virtual accounts')
@Controller('v4/virtual-accounts')
export class VirtualAccountsController {
  constructor(
    private readonly accounts: VirtualAccountsService,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('virtual_accounts:write')
  @ApiOperation({
    operationId: 'create_virtual_account',
    summary: 'Open an account number: what is transferred to it is credited to a wallet',
  })
  @ApiCreatedResponse({
    type: VirtualAccountDto,
    description: 'Payers can pay; or the bank gives no number: `failed`.',
  })
  @ApiAcceptedResponse({ type: VirtualAccountDto, description: 'The bank has not answered: it is asked again.' })
  @ApiOkResponse({
    type: VirtualAccountDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateVirtualAccountDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<VirtualAccountDto> {
    const order = toNewVirtualAccount(dto);
    if (dto.dry_run)
      return answer(VirtualAccountDto.ofPreview(await this.accounts.preview(caller, order)), { dryRun: true });
    const { made, replayedBy } = await this.accounts.create(caller, order, request);
    return answer(VirtualAccountDto.of(made), { running: made.status === 'pending', replayedBy });
  }

  @Get()
  @Scope('virtual_accounts:read')
  @ApiOperation({ operationId: 'list_virtual_accounts', summary: 'List virtual accounts, newest first' })
  @ApiOkResponse({ type: VirtualAccountListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: VirtualAccountsQuery): Promise<List<VirtualAccountDto>> {
    const page = this.pages.open(caller, 'virtual-accounts', query);
    const rows = await this.accounts.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, VirtualAccountDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('virtual_accounts:read')
  @ApiOperation({ operationId: 'get_virtual_account', summary: 'Fetch a virtual account' })
  @ApiOkResponse({ type: VirtualAccountDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<VirtualAccountDto> {
    return VirtualAccountDto.of(await this.accounts.require(caller, id));
  }

  @Post(':id/close')
  @HttpCode(200)
  @Scope('virtual_accounts:write')
  @ApiOperation({
    operationId: 'close_virtual_account',
    summary: 'Close a virtual account; what arrives all the same is held for a person',
  })
  @ApiOkResponse({ type: VirtualAccountDto, description: 'The closed account.' })
  async close(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<VirtualAccountDto> {
    const { made, replayedBy } = await this.accounts.close(caller, id, request);
    return answer(VirtualAccountDto.of(made), { changed: true, replayedBy });
  }
}

/** What arrived at virtual accounts. */
@ApiTags('Virtual accounts')
@Controller('v4/deposits')
export class DepositsController {
  constructor(
    private readonly deposits: DepositReads,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Scope('virtual_accounts:read')
  @ApiOperation({ operationId: 'list_deposits', summary: 'List what arrived at virtual accounts, newest first' })
  @ApiOkResponse({ type: DepositListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: DepositsQuery): Promise<List<DepositDto>> {
    const page = this.pages.open(caller, 'deposits', query);
    const rows = await this.deposits.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, DepositDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('virtual_accounts:read')
  @ApiOperation({ operationId: 'get_deposit', summary: 'Fetch a deposit' })
  @ApiOkResponse({ type: DepositDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<DepositDto> {
    return DepositDto.of(await this.deposits.require(caller, id));
  }
}

/** Where banks call. They have no key: their signature over the raw bytes stands for it. */
@Public()
@ApiExcludeController()
@Controller('callbacks/virtual-accounts')
export class ArrivalsController {
  constructor(private readonly run: DepositRun) {}

  @Post(':provider')
  @HttpCode(200)
  @TakesRaw()
  async receive(
    @Param('provider') provider: string,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
  ): Promise<{ received: true }> {
    await this.run.receive(provider, callbackOf(body, request));
    return { received: true };
  }
}

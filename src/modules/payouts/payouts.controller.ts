import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { Kept, unlessKept } from '../../core/http/etag';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { PurchaseTerms, type PurchaseTermsOfRequest, SandboxScenarioHeader } from '../purchases/purchase-request.dto';
import { isRunning } from '../purchases/running';
import { TransactionDto, TransactionListDto } from '../transactions/transaction.dto';
import { BanksService } from './banks.service';
import {
  BankDto,
  BankListDto,
  BankResolutionDto,
  BanksQuery,
  CreatePayoutDto,
  PayoutDetailsDto,
  PayoutsQuery,
  ResolveAccountDto,
  toBankAccount,
  toWantedPayout,
} from './payout.dto';
import { PayoutsService } from './payouts.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Payouts')
@Controller('v4/banks')
export class BanksController {
  constructor(
    private readonly banks: BanksService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Scope('payouts:read')
  @ApiOperation({ operationId: 'list_banks', summary: 'List the banks that money can be sent to, by code' })
  @Kept(BankListDto)
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: BanksQuery,
    @Headers('if-none-match') kept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<List<BankDto> | undefined> {
    const page = this.pages.open(caller, 'banks', query);
    const rows = await this.banks.list(caller, query, page.after?.[0] ?? null, page.take);
    return unlessKept(
      reply,
      kept,
      page.of(rows, BankDto.of, ({ code }) => [code]),
    );
  }

  @Post('resolve')
  @Scope('payouts:write')
  @ApiOperation({ operationId: 'resolve_bank_account', summary: 'Ask a bank whose account it is, before paying' })
  @ApiCreatedResponse({ type: BankResolutionDto, description: 'The bank has such an account.' })
  async resolve(
    @CurrentCaller() caller: Caller,
    @Body() dto: ResolveAccountDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BankResolutionDto> {
    const { made, replayedBy } = await this.banks.resolve(caller, toBankAccount(dto), request);
    return answer(BankResolutionDto.of(made), { replayedBy });
  }
}

@ApiTags('Payouts')
@ApiExtraModels(PayoutDetailsDto)
@Controller('v4/payouts')
export class PayoutsController {
  constructor(
    private readonly payouts: PayoutsService,
    private readonly pages: Pages,
  ) {}

  @Post()
  @SandboxScenarioHeader()
  @Scope('payouts:write')
  @ApiOperation({ operationId: 'create_payout', summary: 'Send money to a bank account' })
  @ApiCreatedResponse({
    ...TRANSACTION,
    description: 'The payout is final: `successful`, `failed` with the money back in the wallet, or `cancelled`.',
  })
  @ApiAcceptedResponse({
    ...TRANSACTION,
    description: 'The payout goes on, or waits for a second person: `details.approval` says so.',
  })
  @ApiOkResponse({
    ...TRANSACTION,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreatePayoutDto,
    @PurchaseTerms() terms: PurchaseTermsOfRequest,
  ): Promise<object> {
    const wanted = toWantedPayout(dto, terms);
    if (dto.dry_run)
      return answer(TransactionDto.ofPreview(await this.payouts.preview(caller, wanted)), { dryRun: true });
    const { made, replayedBy } = await this.payouts.pay(caller, wanted, terms.claim);
    return answer(TransactionDto.of(made), {
      running: isRunning(made.status),
      replayedBy,
      waitedFor: terms.preferredWait,
    });
  }

  @Get()
  @Scope('payouts:read')
  @ApiOperation({ operationId: 'list_payouts', summary: 'List payouts, newest first' })
  @ApiOkResponse({ type: TransactionListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PayoutsQuery): Promise<List<TransactionDto>> {
    const page = this.pages.open(caller, 'payouts', query);
    const rows = await this.payouts.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, TransactionDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('payouts:read')
  @ApiOperation({ operationId: 'get_payout', summary: 'Fetch a payout by its id or by your reference' })
  @ApiOkResponse(TRANSACTION)
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TransactionDto> {
    return TransactionDto.of(await this.payouts.require(caller, id));
  }
}

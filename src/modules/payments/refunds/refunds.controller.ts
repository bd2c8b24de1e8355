import { Body, Controller, Get, Headers, Injectable, type OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, preferredWait, WAIT_SECONDS_DEFAULT } from '../../../core/http/answer';
import { type Caller, CurrentCaller, type Key } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { encodeId, timeOf } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { TEST_AMOUNT_MAX } from '../../../core/money/money';
import { FieldRefused } from '../../../core/errors/domain-error';
import { Presents, type Viewer } from '../../../core/resources/resources';
import { LedgerLineDto } from '../../transactions/transaction.dto';
import { PageQuery } from '../../../core/http/query-fields';
import { Reviews } from '../../../providers/reviews';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import {
  type Happening,
  TimelineService,
  type TimelineSource,
  type TimelineSubject,
} from '../../transactions/timeline.service';
import { PaymentReads } from '../payment-reads';
import { CreateRefundDto, type RefundFilters, RefundDto, RefundListDto, RefundsQuery, toRefund } from './refund.dto';
import { isRunning } from './refund.entity';
import { RefundStore } from './refund-store';
import { RefundsService } from './refunds.service';

/** Money back to payers. */
@ApiTags('Refunds')
@Controller('api/v1')
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly store: RefundStore,
    private readonly payments: PaymentReads,
    private readonly pages: Pages,
  ) {}

  @Post('payments/:id/refunds')
  @Scope('payments:write')
  @ApiOperation({ operationId: 'create_refund', summary: 'Give a payment back to its payer, or a part of it' })
  @ApiCreatedResponse({
    type: RefundDto,
    description: 'The refund is final: `successful`, or `failed` with the money back in the wallet.',
  })
  @ApiAcceptedResponse({
    type: RefundDto,
    description: 'The refund goes on, or waits for a second person: `approval` says so.',
  })
  @ApiOkResponse({
    type: RefundDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: CreateRefundDto,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<RefundDto> {
    const wanted = toRefund(dto);
    if (!caller.livemode && wanted.amount !== null && wanted.amount > BigInt(TEST_AMOUNT_MAX))
      throw new FieldRefused('/amount', `In test mode amount must be at most ${TEST_AMOUNT_MAX}.`, {
        code: 'amount_out_of_range',
      });
    if (dto.dry_run) {
      const { refund, posted } = await this.refunds.preview(caller, id, wanted);
      return answer(RefundDto.ofPreview(refund, LedgerLineDto.listOf(posted, caller.accountId)), { dryRun: true });
    }
    const waitedFor = preferredWait(prefer);
    const waitMs = (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000;
    const { made, replayedBy } = await this.refunds.refund(caller, id, { wanted, request, waitMs });
    return answer(RefundDto.of(made), { running: isRunning(made.status), replayedBy, waitedFor });
  }

  @Get('payments/:id/refunds')
  @Scope('payments:read')
  @ApiOperation({ operationId: 'list_payment_refunds', summary: 'List the refunds of a payment, newest first' })
  @ApiOkResponse({ type: RefundListDto })
  async listOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<List<RefundDto>> {
    const payment = await this.payments.require(caller, id);
    return this.page(caller, `refunds of ${payment.id}`, {
      query,
      filters: { payment_id: encodeId('pay', payment.id) },
    });
  }

  @Get('refunds')
  @Scope('payments:read')
  @ApiOperation({ operationId: 'list_refunds', summary: 'List refunds, newest first' })
  @ApiOkResponse({ type: RefundListDto })
  list(@CurrentCaller() caller: Caller, @Query() query: RefundsQuery): Promise<List<RefundDto>> {
    return this.page(caller, 'refunds', { query, filters: query });
  }

  @Get('refunds/:id')
  @Scope('payments:read')
  @ApiOperation({ operationId: 'get_refund', summary: 'Fetch a refund' })
  @ApiOkResponse({ type: RefundDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<RefundDto> {
    return RefundDto.of(await this.store.require(caller, id));
  }

  private async page(
    caller: Caller,
    of: string,
    { query, filters }: { query: PageQuery; filters: RefundFilters },
  ): Promise<List<RefundDto>> {
    const page = this.pages.open(caller, of, query);
    const rows = await this.store.list(caller, filters, page.after?.[0] ?? null, page.take);
    return page.of(rows, RefundDto.of, ({ id }) => [id]);
  }
}

const CALLS = { refund: 'provider.attempt', find_refund: 'provider.requery', query: 'provider.requery' } as const;

/** Shows refunds to whoever holds only an id, and tells the timeline of their debit how it came about. */
@Injectable()
export class RefundReads implements TimelineSource, OnModuleInit {
  constructor(
    private readonly store: RefundStore,
    private readonly reviews: Reviews,
    private readonly timelines: TimelineService,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  async of({ accountId, livemode, id, type }: TimelineSubject): Promise<Happening[]> {
    const refund = type === 'payment_refund' ? await this.store.findByTransaction({ accountId, livemode, id }) : null;
    return refund === null ? [] : this.ofThing('rfd', refund);
  }

  /** What its gateway was asked and said, and what people decided. */
  async ofThing(prefix: IdPrefix, { accountId, livemode, id }: Key): Promise<Happening[]> {
    if (prefix !== 'rfd') return [];
    const [answers, decisions] = await Promise.all([
      this.store.answersOf({ accountId, id }),
      this.reviews.told({ accountId, livemode, resource: 'rfd', id }),
    ]);
    return [
      ...answers.map(({ id: rowId, gateway: provider, call, outcome, code }): Happening => ({
        at: timeOf(rowId),
        kind: CALLS[call],
        data: { provider, outcome, code },
      })),
      ...decisions,
    ];
  }

  @Presents('rfd', 'payments:read')
  async refund(viewer: Viewer, id: string): Promise<RefundDto> {
    return RefundDto.of(await this.store.require(viewer, encodeId('rfd', id)));
  }
}

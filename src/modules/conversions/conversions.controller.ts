import { Body, Controller, Get, Injectable, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Presents, type Viewer } from '../../core/resources/resources';
import { LedgerLineDto } from '../transactions/transaction.dto';
import {
  ConversionDto,
  ConversionListDto,
  CreateConversionDto,
  CreateQuoteDto,
  QuoteDto,
  RateDto,
  RateListDto,
  RatesQuery,
} from './conversion.dto';
import { ConversionsService, type NewConversion } from './conversions.service';
import { QuotesService } from './quotes.service';
import { RatesService } from './rates.service';

/** Money of one currency for money of another. */
@ApiTags('Conversions')
@Controller('v4')
export class ConversionsController {
  constructor(
    private readonly rates: RatesService,
    private readonly quotes: QuotesService,
    private readonly conversions: ConversionsService,
    private readonly pages: Pages,
  ) {}

  @Get('rates')
  @Scope('conversions:read')
  @ApiOperation({ operationId: 'list_rates', summary: 'List what currencies are quoted at now' })
  @ApiOkResponse({ type: RateListDto })
  async listRates(@CurrentCaller() caller: Caller, @Query() { from, to }: RatesQuery): Promise<RateListDto> {
    const { accountId, livemode } = caller;
    const rates = await this.rates.listQuoted({ accountId, livemode }, from, to);
    return { object: 'list', data: rates.map(RateDto.of) };
  }

  @Post('quotes')
  @Scope('conversions:write')
  @ApiOperation({ operationId: 'create_quote', summary: 'Have the price of a conversion promised for a minute' })
  @ApiCreatedResponse({ type: QuoteDto, description: 'Moves nothing.' })
  async createQuote(
    @CurrentCaller() caller: Caller,
    @Body() { from_currency, to_currency, amount, side }: CreateQuoteDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<QuoteDto> {
    const wanted = {
      fromCurrency: from_currency,
      toCurrency: to_currency,
      amount: BigInt(amount),
      side: side ?? 'sell',
    };
    const { made, replayedBy } = await this.quotes.create(caller, wanted, request);
    return answer(QuoteDto.of(made), { replayedBy });
  }

  @Get('quotes/:id')
  @Scope('conversions:read')
  @ApiOperation({ operationId: 'get_quote', summary: 'Fetch a quote' })
  @ApiOkResponse({ type: QuoteDto })
  async getQuote(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<QuoteDto> {
    return QuoteDto.of(await this.quotes.require(caller, decodeId('qte', id)));
  }

  @Post('conversions')
  @Scope('conversions:write')
  @ApiOperation({ operationId: 'convert', summary: 'Convert money between two of your wallets, as a quote says' })
  @ApiCreatedResponse({ type: ConversionDto, description: 'The money has moved.' })
  @ApiOkResponse({
    type: ConversionDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async convert(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateConversionDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<ConversionDto> {
    const order = toOrder(dto);
    if (dto.dry_run) {
      const { conversion, posted } = await this.conversions.preview(caller, order);
      const ledger = LedgerLineDto.listOf(posted, caller.accountId);
      return answer(ConversionDto.ofPreview(conversion, ledger), { dryRun: true });
    }
    const { made, replayedBy } = await this.conversions.convert(caller, order, request);
    return answer(ConversionDto.of(made), { replayedBy });
  }

  @Get('conversions')
  @Scope('conversions:read')
  @ApiOperation({ operationId: 'list_conversions', summary: 'List conversions, newest first' })
  @ApiOkResponse({ type: ConversionListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<List<ConversionDto>> {
    const page = this.pages.open(caller, 'conversions', query);
    const rows = await this.conversions.list(caller, page.after?.[0] ?? null, page.take);
    return page.of(rows, ConversionDto.of, ({ id }) => [id]);
  }

  @Get('conversions/:id')
  @Scope('conversions:read')
  @ApiOperation({ operationId: 'get_conversion', summary: 'Fetch a conversion' })
  @ApiOkResponse({ type: ConversionDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ConversionDto> {
    return ConversionDto.of(await this.conversions.require(caller, decodeId('cnv', id)));
  }
}

/** Shows quotes and conversions to whoever holds only an id. */
@Injectable()
export class ConversionResources {
  constructor(
    private readonly quotes: QuotesService,
    private readonly conversions: ConversionsService,
  ) {}

  @Presents('qte', 'conversions:read')
  async quote(viewer: Viewer, id: string): Promise<QuoteDto> {
    return QuoteDto.of(await this.quotes.require(viewer, id));
  }

  @Presents('cnv', 'conversions:read')
  async conversion(viewer: Viewer, id: string): Promise<ConversionDto> {
    return ConversionDto.of(await this.conversions.require(viewer, id));
  }
}

const toOrder = (dto: CreateConversionDto): NewConversion => ({
  quoteId: dto.quote_id,
  fromWallet: dto.from_wallet,
  toWallet: dto.to_wallet,
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});

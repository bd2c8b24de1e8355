import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type AskedRequest, ShownTimes } from '../../core/clock/shown-times';
import { answer, preferredWait, WAIT_SECONDS_DEFAULT } from '../../core/http/answer';
import { type Caller, CurrentCaller, type Key } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { LedgerLineDto, TransactionDto } from '../transactions/transaction.dto';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { CardLifecycle } from './card-lifecycle';
import { CardMoneyService, type CardMove } from './card-money.service';
import {
  CardsQuery,
  IssueCardDto,
  FundCardDto,
  MoveCardMoneyDto,
  toCardChanges,
  toCardMove,
  toNewCard,
  UpdateCardDto,
} from './card-request.dto';
import {
  CARD_TRANSACTION_COLUMNS,
  CardTransactionDto,
  CardTransactionListDto,
  CardTransactionsQuery,
} from './card-transaction.dto';
import { CardTransactionsService } from './card-transactions.service';
import { CardDto, CardListDto, CardTransitionDto, CardTransitionListDto } from './card.dto';
import { CardsService } from './cards.service';
import { CardIssuingService } from './issuing/card-issuing.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };
const NOT_MOVED = {
  ...TRANSACTION,
  description: 'A dry run, or a reference that was used before with the same request.',
};

@ApiTags('Cards')
@Controller('v4/cards')
export class CardsController {
  constructor(
    private readonly cards: CardsService,
    private readonly issuing: CardIssuingService,
    private readonly money: CardMoneyService,
    private readonly lifecycle: CardLifecycle,
    private readonly cardTransactions: CardTransactionsService,
    private readonly transactions: TransactionResources,
    private readonly pages: Pages,
    private readonly times: ShownTimes,
  ) {}

  @Post('issue')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'issue_card', summary: 'Issue a virtual card' })
  @ApiCreatedResponse({
    type: CardDto,
    description: 'The card is `active`, or `failed` with the money back in the wallet.',
  })
  @ApiAcceptedResponse({
    type: CardDto,
    description: 'The issuer has not decided yet; events and `GET /v4/cards/{id}` tell how it ends.',
  })
  @ApiOkResponse({
    type: CardDto,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async issue(
    @CurrentCaller() caller: Caller,
    @Body() dto: IssueCardDto,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<CardDto> {
    const order = toNewCard(dto);
    if (dto.dry_run) {
      const { card, posted } = await this.issuing.preview(caller, order, request);
      const lines = LedgerLineDto.listOf(posted, caller.accountId);
      return answer(CardDto.ofPreview(card, order.customer !== null, lines), { dryRun: true });
    }
    const waitedFor = preferredWait(prefer);
    const waitMs = (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000;
    const { made, replayedBy } = await this.issuing.issue(caller, order, request, waitMs);
    return answer(CardDto.of(made), { running: made.status === 'pending', replayedBy, waitedFor });
  }

  @Get()
  @Scope('cards:read')
  @ApiOperation({ operationId: 'list_cards', summary: 'List cards, newest first' })
  @ApiOkResponse({ type: CardListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: CardsQuery): Promise<List<CardDto>> {
    const page = this.pages.open(caller, 'cards', query);
    const rows = await this.cards.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, CardDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('cards:read')
  @ApiOperation({ operationId: 'get_card', summary: 'Fetch a card and its balance' })
  @ApiOkResponse({ type: CardDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<CardDto> {
    return CardDto.of(await this.cards.require(caller, decodeId('crd', id)));
  }

  @Patch(':id')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'update_card', summary: 'Change the label, metadata or spending controls of a card' })
  @ApiOkResponse({ type: CardDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: UpdateCardDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CardDto> {
    const { made, replayedBy } = await this.cards.update(caller, decodeId('crd', id), toCardChanges(dto), request);
    return answer(CardDto.of(made), { changed: true, replayedBy });
  }

  @Get(':id/transitions')
  @Scope('cards:read')
  @ApiOperation({
    operationId: 'list_card_transitions',
    summary: "List every change of a card's state, with who did it and why, newest first",
  })
  @ApiOkResponse({ type: CardTransitionListDto })
  async listTransitions(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<List<CardTransitionDto>> {
    const card = await this.cards.require(caller, decodeId('crd', id));
    const page = this.pages.open(caller, `card_transitions:${card.id}`, query);
    const rows = await this.cards.listTransitions(card, page.after?.[0] ?? null, page.take);
    return page.of(rows, CardTransitionDto.of, (row) => [row.id]);
  }

  @Post(':id/freeze')
  @Scope('cards:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'freeze_card', summary: 'Freeze a card: it declines everything until it is unfrozen' })
  @ApiOkResponse({ type: CardDto })
  freeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CardDto> {
    return this.change(caller, id, 'frozen', request);
  }

  @Post(':id/unfreeze')
  @Scope('cards:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'unfreeze_card', summary: 'Let a frozen card pay again' })
  @ApiOkResponse({ type: CardDto })
  unfreeze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CardDto> {
    return this.change(caller, id, 'active', request);
  }

  @Post(':id/terminate')
  @Scope('cards:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'terminate_card',
    summary: 'End a card for good; what is on it goes back to the wallet that paid it',
  })
  @ApiOkResponse({ type: CardDto })
  terminate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CardDto> {
    return this.change(caller, id, 'terminated', request);
  }

  @Post(':id/fund')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'fund_card', summary: 'Put money from a wallet onto a card' })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The money is on the card.' })
  @ApiOkResponse(NOT_MOVED)
  fund(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: FundCardDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    return this.move(caller, id, dto, request, 'card_funding');
  }

  @Post(':id/withdraw')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'withdraw_from_card', summary: 'Take money from a card back into a wallet' })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The money is in the wallet.' })
  @ApiOkResponse(NOT_MOVED)
  withdraw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: MoveCardMoneyDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    return this.move(caller, id, dto, request, 'card_withdrawal');
  }

  @Get(':id/transactions')
  @Scope('cards:read')
  @ApiOperation({ operationId: 'list_card_transactions', summary: 'List what happened on a card, newest first' })
  @ApiOkResponse({ type: CardTransactionListDto, description: 'A page, or with `format=csv` every match as text/csv.' })
  async listTransactions(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: CardTransactionsQuery,
    @Req() request: AskedRequest,
  ): Promise<List<CardTransactionDto> | StreamableFile> {
    const card = await this.cardTransactions.requireCard(caller, decodeId('crd', id));
    if (query.format === 'csv') {
      const rows = await this.times.rows(request, this.rows(card, query));
      return csvFile('card-transactions.csv', CARD_TRANSACTION_COLUMNS, rows);
    }
    const page = this.pages.open(caller, `card_transactions:${card.id}`, query);
    const rows = await this.cardTransactions.list(card, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, CardTransactionDto.of, (row) => [row.id]);
  }

  private async *rows(card: Key, query: CardTransactionsQuery): AsyncGenerator<CardTransactionDto> {
    for await (const transaction of this.cardTransactions.stream(card, query)) yield CardTransactionDto.of(transaction);
  }

  private async move(
    caller: Caller,
    id: string,
    dto: MoveCardMoneyDto,
    request: RequestClaim,
    type: CardMove['type'],
  ): Promise<object> {
    const [cardId, move] = [decodeId('crd', id), toCardMove(type, dto)];
    if (dto.dry_run)
      return answer(TransactionDto.ofPreview(await this.money.preview(caller, cardId, move)), { dryRun: true });
    const { made, replayedBy } = await this.money.move(caller, cardId, move, request);
    return answer(await this.transactions.transaction(caller, made), { replayedBy });
  }

  private async change(
    caller: Caller,
    id: string,
    to: 'active' | 'frozen' | 'terminated',
    request: RequestClaim,
  ): Promise<CardDto> {
    const { made, replayedBy } = await this.lifecycle.changeAsOwner(caller, id, to, request);
    return answer(CardDto.of(made), { changed: true, replayedBy });
  }
}

import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardLifecycle } from './card-lifecycle';
import { CardsQuery, toCardChanges, UpdateCardDto } from './card-request.dto';
import { CardDto, CardListDto, CardTransitionDto, CardTransitionListDto } from './card.dto';
import { CardsService } from './cards.service';

@ApiTags('Cards')
@Controller('v4/cards')
export class CardsController {
  constructor(
    private readonly cards: CardsService,
    private readonly lifecycle: CardLifecycle,
    private readonly pages: Pages,
  ) {}

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

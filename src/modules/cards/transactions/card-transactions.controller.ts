import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { decodeId } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { Scope } from '../../../core/http/route-markers';
import { CardTransactionDto, CardTransactionListDto, CardTransactionsQuery } from '../card-transaction.dto';
import { CardTransactionsService } from '../card-transactions.service';

@ApiTags('Cards')
@Scope('cards:read')
@Controller('v4/cards')
export class CardTransactionsController {
  constructor(
    private readonly transactions: CardTransactionsService,
    private readonly pages: Pages,
  ) {}

  @Get(':id/transactions')
  @ApiOperation({ operationId: 'list_card_transactions', summary: 'List what happened on a card, newest first' })
  @ApiOkResponse({ type: CardTransactionListDto })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: CardTransactionsQuery,
  ): Promise<List<CardTransactionDto>> {
    const card = await this.transactions.requireCard(caller, decodeId('crd', id));
    const page = this.pages.open(caller, `card_transactions:${card.id}`, query);
    const rows = await this.transactions.list(card, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, CardTransactionDto.of, (row) => [row.id]);
  }
}

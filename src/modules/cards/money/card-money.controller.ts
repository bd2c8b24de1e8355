import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { decodeId } from '../../../core/http/ids';
import { Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { TransactionResources } from '../../transactions/transaction-resources.service';
import { MoveCardMoneyDto, toCardMove } from '../card-request.dto';
import { CardMoneyService, type CardMove } from './card-money.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };
const NOT_MADE = {
  ...TRANSACTION,
  description: 'A dry run, or a reference that was used before with the same request.',
};

@ApiTags('Cards')
@Scope('cards:write')
@Controller('v4/cards')
export class CardMoneyController {
  constructor(
    private readonly money: CardMoneyService,
    private readonly transactions: TransactionResources,
  ) {}

  @Post(':id/fund')
  @ApiOperation({ operationId: 'fund_card', summary: 'Put money from a wallet onto a card' })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The money is on the card.' })
  @ApiOkResponse(NOT_MADE)
  fund(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: MoveCardMoneyDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    return this.move([caller, id, dto], toCardMove('card_funding', dto), request);
  }

  @Post(':id/withdraw')
  @ApiOperation({ operationId: 'withdraw_from_card', summary: 'Take money from a card back into a wallet' })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The money is in the wallet.' })
  @ApiOkResponse(NOT_MADE)
  withdraw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: MoveCardMoneyDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    return this.move([caller, id, dto], toCardMove('card_withdrawal', dto), request);
  }

  private async move(
    [caller, id, dto]: [Caller, string, MoveCardMoneyDto],
    move: CardMove,
    request: RequestClaim,
  ): Promise<object> {
    const cardId = decodeId('crd', id);
    if (dto.dry_run)
      return answer(this.transactions.preview(await this.money.preview(caller, cardId, move)), { dryRun: true });
    const { made, replayedBy } = await this.money.move(caller, cardId, move, request);
    return answer(await this.transactions.transaction(caller, made), { replayedBy });
  }
}

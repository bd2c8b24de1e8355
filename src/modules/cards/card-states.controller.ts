import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardOwnership } from './card-ownership.service';
import { CardDto } from './card.dto';

@ApiTags('Cards')
@Scope('cards:write')
@Controller('v4/cards')
export class CardStatesController {
  constructor(private readonly owners: CardOwnership) {}

  @Post(':id/freeze')
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
    const { made, replayedBy } = await this.owners.change(caller, id, to, request);
    return answer(CardDto.of(made), { changed: true, replayedBy });
  }
}

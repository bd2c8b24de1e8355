import { Body, Controller, Param, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardTransactionDto } from '../cards/card-transaction.dto';
import { SimulateCardDto } from './sandbox-cards.dto';
import { SandboxCardsService } from './sandbox-cards.service';
import { TestModeGuard } from './test-mode.guard';

@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox/cards')
@UseGuards(TestModeGuard)
export class SandboxCardsController {
  constructor(private readonly cards: SandboxCardsService) {}

  @Post(':id/simulate')
  @ApiOperation({
    operationId: 'simulate_card_transaction',
    summary: 'Play the card network: authorize, clear, void, refund, decline or charge a fee',
  })
  @ApiCreatedResponse({
    schema: { $ref: getSchemaPath('CardTransactionDto') },
    description: 'The card transaction, as it is now. A declined authorization is one, too.',
  })
  async simulate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: SimulateCardDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const result = await this.cards.simulate(
      caller,
      id,
      {
        kind: dto.kind,
        amount: dto.amount ? BigInt(dto.amount) : null,
        merchant: dto.merchant ? { ...dto.merchant } : null,
        cardTransactionId: dto.card_transaction_id ?? null,
        declineReason: dto.decline_reason ?? null,
      },
      request,
    );
    return answer(CardTransactionDto.of(result.transaction), { replayedBy: result.replayedBy });
  }
}

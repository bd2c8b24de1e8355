import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { preferredWait, WAIT_SECONDS_DEFAULT } from '../../../core/http/prefer';
import { Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { IssueCardDto, toNewCard } from '../card-request.dto';
import { CardResources } from '../card-resources.service';
import { CardDto } from '../card.dto';
import { CardIssuingService } from './card-issuing.service';

@ApiTags('Cards')
@Controller('v4/cards')
export class CardIssuingController {
  constructor(
    private readonly issuing: CardIssuingService,
    private readonly resources: CardResources,
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
    if (dto.dry_run)
      return answer(
        this.resources.preview(await this.issuing.preview(caller, order, request), order.customer !== null),
        { dryRun: true },
      );
    const waitedFor = preferredWait(prefer);
    const { made, replayedBy } = await this.issuing.issue(
      caller,
      order,
      request,
      (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000,
    );
    return answer(CardDto.of(made), { running: made.status === 'pending', replayedBy, waitedFor });
  }
}

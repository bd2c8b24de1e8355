import { Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { DeliveryDetailsDto } from './delivery.dto';
import { ResendsService } from './resends.service';

@ApiTags('Webhooks')
@Scope('webhooks:write')
@Controller('v4/webhooks')
export class ResendsController {
  constructor(private readonly resends: ResendsService) {}

  @Post(':id/test')
  @ApiOperation({
    operationId: 'test_webhook_endpoint',
    summary: 'Send an event `webhook_endpoint.test` to a webhook endpoint',
  })
  @ApiCreatedResponse({ type: DeliveryDetailsDto, description: 'The delivery; fetch it to see what came of it.' })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<DeliveryDetailsDto> {
    const { replayedBy, ...made } = await this.resends.test(caller, decodeId('whk', id), request);
    return answer(DeliveryDetailsDto.with(made), { replayedBy });
  }

  @Post('deliveries/:id/retry')
  @ApiOperation({
    operationId: 'retry_webhook_delivery',
    summary: 'Send the event of a delivery to its webhook endpoint again, at once',
  })
  @ApiCreatedResponse({ type: DeliveryDetailsDto, description: 'A delivery of its own, of the same event.' })
  async retry(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<DeliveryDetailsDto> {
    const { replayedBy, ...made } = await this.resends.retry(caller, decodeId('dlv', id), request);
    return answer(DeliveryDetailsDto.with(made), { replayedBy });
  }
}

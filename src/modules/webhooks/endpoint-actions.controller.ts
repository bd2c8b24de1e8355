import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { EndpointChangesService } from './endpoint-changes.service';
import { RotateSecretDto, rotationSeconds } from './endpoint-request.dto';
import { EndpointSwitchService } from './endpoint-switch.service';
import { EnabledWebhookEndpointDto, NewWebhookEndpointDto, WebhookEndpointDto } from './endpoint.dto';

@ApiTags('Webhooks')
@Scope('webhooks:write')
@Controller('v4/webhooks')
export class EndpointActionsController {
  constructor(
    private readonly changes: EndpointChangesService,
    private readonly switches: EndpointSwitchService,
  ) {}

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotate_webhook_secret',
    summary: 'Give a webhook endpoint a new secret; both sign for a while',
  })
  @ApiOkResponse({ type: NewWebhookEndpointDto, description: 'The new secret is in this answer only.' })
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: RotateSecretDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<NewWebhookEndpointDto> {
    const { endpoint, secret, replayedBy } = await this.changes.rotateSecret(
      caller,
      decodeId('whk', id),
      rotationSeconds(dto),
      request,
    );
    return answer(NewWebhookEndpointDto.with(endpoint, secret), { changed: true, replayedBy });
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'enable_webhook_endpoint',
    summary: 'Send to a disabled webhook endpoint again; tells what it missed',
  })
  @ApiOkResponse({ type: EnabledWebhookEndpointDto })
  async enable(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<EnabledWebhookEndpointDto> {
    const { endpoint, missed, replayedBy } = await this.switches.enable(caller, decodeId('whk', id), request);
    return answer(EnabledWebhookEndpointDto.with(endpoint, missed), { changed: true, replayedBy });
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disable_webhook_endpoint',
    summary: 'Send nothing but replays and tests to a webhook endpoint',
  })
  @ApiOkResponse({ type: WebhookEndpointDto })
  async disable(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WebhookEndpointDto> {
    const { endpoint, replayedBy } = await this.switches.disable(caller, decodeId('whk', id), request);
    return answer(WebhookEndpointDto.of(endpoint), { changed: true, replayedBy });
  }
}

import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { ReplayEventsDto, toRange, WebhookReplayDto } from './replay.dto';
import { ReplaysService } from './replays.service';

@ApiTags('Webhooks')
@Scope('webhooks:write')
@Controller('v4/webhooks')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Post(':id/replay')
  @ApiOperation({
    operationId: 'replay_webhook_events',
    summary: 'Send events of a time to a webhook endpoint again, also to a disabled one',
  })
  @ApiCreatedResponse({ type: WebhookReplayDto, description: 'They are on their way.' })
  @ApiOkResponse({ type: WebhookReplayDto, description: 'A dry run.' })
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: ReplayEventsDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WebhookReplayDto> {
    const endpointId = decodeId('whk', id);
    if (dto.dry_run)
      return answer(
        WebhookReplayDto.of(caller, id, await this.replays.preview(caller, endpointId, toRange(dto)), true),
        { dryRun: true },
      );
    const { count, replayedBy } = await this.replays.replay(caller, endpointId, toRange(dto), request);
    return answer(WebhookReplayDto.of(caller, id, count, false), { replayedBy });
  }
}

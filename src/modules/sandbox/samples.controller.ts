import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { WebhookResources } from '../webhooks/webhook-resources.service';
import { TriggerEventDto } from './samples.dto';
import { SamplesService } from './samples.service';
import { TestModeGuard } from './test-mode.guard';

@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox/events')
@UseGuards(TestModeGuard)
export class SamplesController {
  constructor(
    private readonly samples: SamplesService,
    private readonly events: WebhookResources,
  ) {}

  @Post('trigger')
  @ApiOperation({
    operationId: 'trigger_sandbox_event',
    summary: 'Make an event of a type, about the newest thing of yours that it could be about; nothing else happens',
  })
  @ApiCreatedResponse({
    schema: { $ref: getSchemaPath('EventDto') },
    description: 'The event; your endpoints are told of it.',
  })
  async trigger(
    @CurrentCaller() caller: Caller,
    @Body() { type }: TriggerEventDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<object> {
    const { id, isReplay } = await this.samples.trigger(caller, type, request);
    return answer(await this.events.event(caller, id), { replayedBy: isReplay ? 'key' : null });
  }
}

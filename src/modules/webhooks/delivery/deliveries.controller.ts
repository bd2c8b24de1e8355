import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { decodeId } from '../../../core/http/ids';
import { Pages } from '../../../core/http/pages';
import { Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { DeliveriesService } from '../deliveries.service';
import { EndpointsService } from '../endpoints.service';
import {
  DeliveriesQuery,
  DeliveryDetailsDto,
  filtersOf,
  NotSentDto,
  ReplayEventsDto,
  toRange,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
  WebhookMissedDto,
  WebhookReplayDto,
} from './delivery.dto';
import { ResendsService } from './resends.service';

@ApiTags('Webhooks')
@Controller('v4/webhooks')
export class DeliveriesController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly resends: ResendsService,
    private readonly pages: Pages,
  ) {}

  @Get(':id/deliveries')
  @Scope('webhooks:read')
  @ApiOperation({
    operationId: 'list_webhook_deliveries',
    summary: 'List the deliveries to a webhook endpoint, newest first',
  })
  @ApiOkResponse({ type: WebhookDeliveryListDto })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<WebhookDeliveryListDto> {
    const endpoint = await this.endpoints.require(caller, decodeId('whk', id));
    const page = this.pages.open(caller, `deliveries:${endpoint.id}`, query);
    const filters = filtersOf(query);
    const rows = await this.deliveries.list(endpoint, filters, page.after?.[0] ?? null, page.take);
    const reason = rows.length > 0 ? null : await this.deliveries.whyUnsent(endpoint, filters);
    return { ...page.of(rows, WebhookDeliveryDto.of, (row) => [row.id]), not_sent: reason && NotSentDto.of(reason) };
  }

  @Get('deliveries/:id')
  @Scope('webhooks:read')
  @ApiOperation({ operationId: 'get_webhook_delivery', summary: 'Fetch a delivery and its attempts' })
  @ApiOkResponse({ type: DeliveryDetailsDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<DeliveryDetailsDto> {
    return DeliveryDetailsDto.with(await this.deliveries.require(caller, decodeId('dlv', id)));
  }

  @Get(':id/missed')
  @Scope('webhooks:read')
  @ApiOperation({
    operationId: 'get_webhook_missed_events',
    summary: 'Count what a webhook endpoint did not get since it began to fail, or was disabled',
  })
  @ApiOkResponse({ type: WebhookMissedDto })
  async missed(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookMissedDto> {
    const endpoint = await this.endpoints.require(caller, decodeId('whk', id));
    return WebhookMissedDto.of(caller, id, await this.resends.missed(endpoint));
  }

  @Post(':id/test')
  @Scope('webhooks:write')
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
  @Scope('webhooks:write')
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

  @Post(':id/replay')
  @Scope('webhooks:write')
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
        WebhookReplayDto.of(caller, id, await this.resends.previewReplay(caller, endpointId, toRange(dto)), true),
        { dryRun: true },
      );
    const { count, replayedBy } = await this.resends.replay(caller, endpointId, toRange(dto), request);
    return answer(WebhookReplayDto.of(caller, id, count, false), { replayedBy });
  }
}

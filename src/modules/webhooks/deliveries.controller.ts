import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { DeliveriesService } from './deliveries.service';
import {
  DeliveriesQuery,
  DeliveryDetailsDto,
  filtersOf,
  NotSentDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
} from './delivery.dto';
import { EndpointsService } from './endpoints.service';
import { UnsentService } from './unsent.service';

@ApiTags('Webhooks')
@Controller('v4/webhooks')
export class DeliveriesController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly unsent: UnsentService,
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
    const reason = rows.length > 0 ? null : await this.unsent.reasonOf(endpoint, filters);
    return { ...page.of(rows, WebhookDeliveryDto.of, (row) => [row.id]), not_sent: reason && NotSentDto.of(reason) };
  }

  @Get('deliveries/:id')
  @Scope('webhooks:read')
  @ApiOperation({ operationId: 'get_webhook_delivery', summary: 'Fetch a delivery and its attempts' })
  @ApiOkResponse({ type: DeliveryDetailsDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<DeliveryDetailsDto> {
    return DeliveryDetailsDto.with(await this.deliveries.require(caller, decodeId('dlv', id)));
  }
}

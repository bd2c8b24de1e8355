import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { DeliveriesService } from './deliveries.service';
import { DeliveryDetailsDto } from './delivery.dto';
import { WebhookEndpointDto } from './endpoint.dto';
import { EndpointsService } from './endpoints.service';

@Injectable()
export class WebhookResources {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Also a deleted one: events and idempotency keys are still about it. */
  @Presents('whk', 'webhooks:read')
  async endpoint(viewer: Viewer, id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.of(await this.endpoints.requireEver(viewer, id));
  }

  @Presents('dlv', 'webhooks:read')
  async delivery(viewer: Viewer, id: string): Promise<DeliveryDetailsDto> {
    return DeliveryDetailsDto.with(await this.deliveries.require(viewer, id));
  }
}

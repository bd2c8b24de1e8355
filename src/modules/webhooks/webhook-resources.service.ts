import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { DeliveriesService } from './deliveries.service';
import { DeliveryDetailsDto } from './delivery/delivery.dto';
import { EndpointsService } from './endpoints.service';
import { WebhookEndpointDto } from './endpoints/endpoint.dto';
import { EventDto } from './events/event.dto';
import { EventsService } from './events/events.service';

/** Shows endpoints, deliveries and events to whoever holds only an id. */
@Injectable()
export class WebhookResources {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly events: EventsService,
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

  /** Throws `InsufficientScope` unless the viewer may read what it is about, too. */
  @Presents('evt', 'events:read')
  async event({ accountId, livemode, scopes = [] }: Viewer, id: string): Promise<EventDto> {
    const { event, object } = await this.events.require({ accountId, livemode, scopes }, id);
    return EventDto.of(event, object);
  }
}

import { Module } from '@nestjs/common';
import { Connections } from './connections.service';
import { DeliveryAttempts } from './delivery-attempts.service';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EventBodies } from './event-bodies.service';
import { EventResources } from './event-resources.service';
import { EventsService } from './events.service';
import { HostLookup } from './host-lookup.service';
import { WebhookListener } from './listener.service';
import { WebhookSender } from './sender.service';
import { UrlPolicy } from './url-policy.service';

/** From an event to a signed message, and its way to a public address. */
@Module({
  providers: [
    Connections,
    DeliveryAttempts,
    EndpointSecretsService,
    EventBodies,
    EventResources,
    EventsService,
    HostLookup,
    UrlPolicy,
    WebhookListener,
    WebhookSender,
  ],
  exports: [DeliveryAttempts, EndpointSecretsService, EventResources, EventsService, UrlPolicy, WebhookSender],
})
export class SendingModule {}

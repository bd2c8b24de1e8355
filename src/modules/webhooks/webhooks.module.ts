import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesService } from './deliveries.service';
import { DeliveriesController } from './delivery/deliveries.controller';
import {
  DeliveryRuns,
  LateDeliveriesProcessor,
  LiveDeliveriesProcessor,
  TestDeliveriesProcessor,
} from './delivery/deliveries.processor';
import { DeliveryMetrics } from './delivery/delivery-metrics.service';
import { DeliveryPlanner } from './delivery/delivery-planner.service';
import { DeliveryQueue, LATE_QUEUE, LIVE_QUEUE, TEST_QUEUE } from './delivery/delivery-queue.service';
import { DeliveryRecords } from './delivery/delivery-records.service';
import { DeliverySlots } from './delivery/delivery-slots.service';
import { EndpointHealth } from './delivery/endpoint-health.service';
import { Relay } from './delivery/relay.service';
import { ResendsService } from './delivery/resends.service';
import { WebhookAttempt, WebhookDelivery } from './delivery/webhook-delivery.entity';
import { Connections, WebhookSender } from './delivery/webhook-sender.service';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EndpointsService } from './endpoints.service';
import { EndpointChangesService } from './endpoints/endpoint-changes.service';
import { EndpointsController } from './endpoints/endpoints.controller';
import { HostLookup, UrlPolicy } from './endpoints/url-policy.service';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity';
import { EventsController } from './events/events.controller';
import { EventsService } from './events/events.service';
import { WebhookListener } from './webhook-listener.service';
import { WebhookResources } from './webhook-resources.service';

const QUEUES = [LIVE_QUEUE, TEST_QUEUE, LATE_QUEUE].map((name) => ({ name }));

/** Events as partners read them, the addresses that they register, and how the ones come to the others. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookAttempt, WebhookDelivery, WebhookEndpoint]),
    BullModule.registerQueue(...QUEUES),
  ],
  controllers: [EndpointsController, DeliveriesController, EventsController],
  providers: [
    Connections,
    DeliveriesService,
    DeliveryMetrics,
    DeliveryPlanner,
    DeliveryQueue,
    DeliveryRecords,
    DeliveryRuns,
    DeliverySlots,
    EndpointChangesService,
    EndpointHealth,
    EndpointSecretsService,
    EndpointsService,
    EventsService,
    HostLookup,
    LateDeliveriesProcessor,
    LiveDeliveriesProcessor,
    Relay,
    ResendsService,
    TestDeliveriesProcessor,
    UrlPolicy,
    WebhookListener,
    WebhookResources,
    WebhookSender,
  ],
  exports: [DeliveriesService, EndpointSecretsService, EndpointsService, WebhookResources],
})
export class WebhooksModule {}

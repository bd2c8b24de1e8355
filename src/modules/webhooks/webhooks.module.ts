import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesService } from './deliveries.service';
import { DeliveriesController } from './delivery/deliveries.controller';
import { DeliveryRuns, LiveDeliveriesProcessor, TestDeliveriesProcessor } from './delivery/deliveries.processor';
import { DeliveryQueue, LIVE_QUEUE, TEST_QUEUE } from './delivery/delivery-queue.service';
import { DeliveryRecords } from './delivery/delivery-records.service';
import { DeliverySlots } from './delivery/delivery-slots.service';
import { EndpointHealth } from './delivery/endpoint-health.service';
import { Relay } from './relay.service';
import { ResendsService } from './delivery/resends.service';
import { WebhookAttempt, WebhookDelivery } from './delivery/webhook-delivery.entity';
import { WebhookSender } from './delivery/webhook-sender.service';
import { EndpointFiguresService } from './endpoint-figures.service';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EndpointsService } from './endpoints.service';
import { EndpointChangesService } from './endpoints/endpoint-changes.service';
import { EndpointsController } from './endpoints/endpoints.controller';
import { UrlPolicy } from './endpoints/url-policy.service';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity';
import { EventsController } from './events/events.controller';
import { EventsService } from './events/events.service';
import { WebhookQuestions } from './questions.service';
import { WebhookListener } from './webhook-listener.service';

const QUEUES = [LIVE_QUEUE, TEST_QUEUE].map((name) => ({ name }));

/** Events as partners read them, the addresses that they register, and how the ones come to the others. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookAttempt, WebhookDelivery, WebhookEndpoint]),
    BullModule.registerQueue(...QUEUES),
  ],
  controllers: [EndpointsController, DeliveriesController, EventsController],
  providers: [
    DeliveriesService,
    DeliveryQueue,
    DeliveryRecords,
    DeliveryRuns,
    DeliverySlots,
    EndpointChangesService,
    EndpointFiguresService,
    EndpointHealth,
    EndpointSecretsService,
    EndpointsService,
    EventsService,
    LiveDeliveriesProcessor,
    Relay,
    ResendsService,
    TestDeliveriesProcessor,
    UrlPolicy,
    WebhookListener,
    WebhookQuestions,
    WebhookSender,
  ],
  exports: [DeliveriesService, EndpointFiguresService, EndpointSecretsService, EndpointsService, WebhookQuestions],
})
export class WebhooksModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { DeliveryHistory } from './delivery-history.service';
import { EndpointsModule } from './endpoints.module';
import { UnsentService } from './unsent.service';
import { WebhookAttempt } from './webhook-attempt.entity';
import { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookResources } from './webhook-resources.service';

/** Deliveries as partners read them. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookDelivery, WebhookAttempt]), EndpointsModule],
  controllers: [DeliveriesController],
  providers: [DeliveriesService, DeliveryHistory, UnsentService, WebhookResources],
  exports: [DeliveriesService, DeliveryHistory],
})
export class DeliveriesReadModule {}

import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DeliveryClaims } from './delivery-claims.service';
import { DeliveryQueue, LATE_QUEUE, LIVE_QUEUE, TEST_QUEUE } from './delivery-queue.service';
import { DeliveryResults } from './delivery-results.service';
import { DeliveryStatements } from './delivery-statements.service';
import { EndpointHealth } from './endpoint-health.service';

const QUEUES = [LIVE_QUEUE, TEST_QUEUE, LATE_QUEUE].map((name) => ({ name }));

/** Deliveries in the database and in the queues. */
@Module({
  imports: [BullModule.registerQueue(...QUEUES)],
  providers: [DeliveryClaims, DeliveryQueue, DeliveryResults, DeliveryStatements, EndpointHealth],
  exports: [DeliveryClaims, DeliveryQueue, DeliveryResults],
})
export class DeliveryRecordsModule {}

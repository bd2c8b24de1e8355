import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DeliveryClaims } from './delivery-claims.service';
import { DeliveryMetrics } from './delivery-metrics.service';
import { DeliveryPlanner } from './delivery-planner.service';
import { DeliveryQueue, LATE_QUEUE, LIVE_QUEUE, TEST_QUEUE } from './delivery-queue.service';
import { DeliveryResults } from './delivery-results.service';
import { DeliveryRuns } from './delivery-runs.service';
import { DeliverySlots } from './delivery-slots.service';
import { DeliverySweeper } from './delivery-sweeper.service';
import { EndpointHealth } from './endpoint-health.service';
import { Relay } from './relay.service';
import { RelayLoop } from './relay-loop.service';
import { SendingModule } from './sending.module';
import { LateDeliveriesProcessor, LiveDeliveriesProcessor, TestDeliveriesProcessor } from './webhook-deliveries.processor';

const QUEUES = [LIVE_QUEUE, TEST_QUEUE, LATE_QUEUE].map((name) => ({ name }));

/** From a committed event to attempts: relay, queues, workers. */
@Module({
  imports: [BullModule.registerQueue(...QUEUES), SendingModule],
  providers: [
    DeliveryClaims, DeliveryMetrics, DeliveryPlanner, DeliveryQueue, DeliveryResults, DeliveryRuns, DeliverySlots, DeliverySweeper, EndpointHealth,
    LateDeliveriesProcessor, LiveDeliveriesProcessor, Relay, RelayLoop, TestDeliveriesProcessor,
  ],
  exports: [DeliveryPlanner, DeliveryQueue, DeliverySweeper],
})
export class DeliveryModule {}

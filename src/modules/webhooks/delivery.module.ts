import { Module } from '@nestjs/common';
import { DeliveryMetrics } from './delivery-metrics.service';
import { DeliveryPlanner } from './delivery-planner.service';
import { DeliveryRecordsModule } from './delivery-records.module';
import { DeliveryRuns } from './delivery-runs.service';
import { DeliverySlots } from './delivery-slots.service';
import { DeliverySweeper } from './delivery-sweeper.service';
import { Relay } from './relay.service';
import { RelayLoop } from './relay-loop.service';
import { SendingModule } from './sending.module';
import {
  LateDeliveriesProcessor,
  LiveDeliveriesProcessor,
  TestDeliveriesProcessor,
} from './webhook-deliveries.processor';

/** From a committed event to attempts: relay, queues, workers. */
@Module({
  imports: [DeliveryRecordsModule, SendingModule],
  providers: [
    DeliveryMetrics,
    DeliveryPlanner,
    DeliveryRuns,
    DeliverySlots,
    DeliverySweeper,
    LateDeliveriesProcessor,
    LiveDeliveriesProcessor,
    Relay,
    RelayLoop,
    TestDeliveriesProcessor,
  ],
  exports: [DeliveryPlanner, DeliveryRecordsModule],
})
export class DeliveryModule {}

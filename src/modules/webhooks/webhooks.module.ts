import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module';
import { EventsController } from './events.controller';
import { ResendsModule } from './resends.module';
import { SendingModule } from './sending.module';

/** Events as partners read them, and as they are sent. */
@Module({
  imports: [DeliveryModule, ResendsModule, SendingModule],
  controllers: [EventsController],
  exports: [DeliveryModule, SendingModule],
})
export class WebhooksModule {}

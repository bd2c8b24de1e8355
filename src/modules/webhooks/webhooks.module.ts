import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module';
import { EventsController } from './events.controller';
import { SendingModule } from './sending.module';

/** Events as partners read them, and as they are sent. */
@Module({ imports: [DeliveryModule, SendingModule], controllers: [EventsController], exports: [DeliveryModule] })
export class WebhooksModule {}

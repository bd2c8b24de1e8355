import { Module } from '@nestjs/common';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

/** Events as partners read them. */
@Module({ controllers: [EventsController], providers: [EventsService] })
export class WebhooksModule {}

import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module';
import { DeliveriesReadModule } from './deliveries-read.module';
import { EndpointActionsController } from './endpoint-actions.controller';
import { EndpointSwitchService } from './endpoint-switch.service';
import { EndpointsModule } from './endpoints.module';
import { ReplaysController } from './replays.controller';
import { ReplaysService } from './replays.service';
import { ResendsController } from './resends.controller';
import { ResendsService } from './resends.service';
import { SendingsService } from './sendings.service';

/** What is sent because partners ask for it. */
@Module({
  imports: [DeliveriesReadModule, DeliveryModule, EndpointsModule],
  controllers: [EndpointActionsController, ReplaysController, ResendsController],
  providers: [EndpointSwitchService, ReplaysService, ResendsService, SendingsService],
})
export class ResendsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EndpointChangesService } from './endpoint-changes.service';
import { EndpointRegistrationService } from './endpoint-registration.service';
import { EndpointUrlsService } from './endpoint-urls.service';
import { EndpointsController } from './endpoints.controller';
import { EndpointsService } from './endpoints.service';
import { SendingModule } from './sending.module';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** The addresses that accounts register. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint]), SendingModule],
  controllers: [EndpointsController],
  providers: [EndpointChangesService, EndpointRegistrationService, EndpointsService, EndpointUrlsService],
  exports: [EndpointChangesService, EndpointsService, EndpointUrlsService],
})
export class EndpointsModule {}

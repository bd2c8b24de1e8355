import { Module } from '@nestjs/common';
import { FeesService } from './fees.service';
import { ProviderHealth } from './provider-health.service';
import { RoutesService } from './routes.service';

/** What operators set: what operations cost, and who carries them out. */
@Module({
  providers: [FeesService, ProviderHealth, RoutesService],
  exports: [FeesService, ProviderHealth, RoutesService],
})
export class PricingModule {}

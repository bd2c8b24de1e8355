import { Module } from '@nestjs/common';
import { FeeRulesService } from './fee-rules.service';
import { FeesService } from './fees.service';
import { ProviderHealth } from './provider-health.service';
import { RoutesService } from './routes.service';

/** What operators set: what operations cost, and who carries them out. */
@Module({
  providers: [FeeRulesService, FeesService, ProviderHealth, RoutesService],
  exports: [FeeRulesService, FeesService, ProviderHealth, RoutesService],
})
export class TermsModule {}

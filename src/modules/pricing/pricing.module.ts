import { Module } from '@nestjs/common';
import { FeesService } from './fees.service';

/** What operations cost, as operators set it. */
@Module({ providers: [FeesService], exports: [FeesService] })
export class PricingModule {}

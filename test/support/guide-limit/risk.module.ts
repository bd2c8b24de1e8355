import { Module } from '@nestjs/common';
import { DailyLimit } from './daily-limit';

@Module({ providers: [DailyLimit] })
export class RiskModule {}

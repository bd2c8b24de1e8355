import { Global, Module } from '@nestjs/common';
import { CallTally } from './call-tally';
import { ProviderCalls } from './provider-calls';

@Global()
@Module({ providers: [CallTally, ProviderCalls], exports: [CallTally, ProviderCalls] })
export class AdaptersModule {}

import { Global, Module } from '@nestjs/common';
import { Breakers } from './breakers';
import { CallTally } from './call-tally';
import { ProviderCalls } from './provider-calls';

@Global()
@Module({ providers: [Breakers, CallTally, ProviderCalls], exports: [Breakers, CallTally, ProviderCalls] })
export class AdaptersModule {}

import { Global, Module } from '@nestjs/common';
import { Breakers } from './breakers';
import { CallTally, ProviderCalls } from './provider-calls';
import { Reviews } from './reviews';

@Global()
@Module({
  providers: [Breakers, CallTally, ProviderCalls, Reviews],
  exports: [Breakers, CallTally, ProviderCalls, Reviews],
})
export class AdaptersModule {}

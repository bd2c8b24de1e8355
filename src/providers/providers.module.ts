import { Global, Module } from '@nestjs/common';
import { Breakers } from './breakers';
import { CallTally, ProviderCalls } from './provider-calls';
import { ProviderHealth } from './provider-health';
import { Reviews } from './reviews';
import { Routes } from './routes';

const KIT = [Breakers, CallTally, ProviderCalls, ProviderHealth, Reviews, Routes];

/** For whoever speaks with providers, gateways and issuers. */
@Global()
@Module({ providers: KIT, exports: KIT })
export class ProvidersModule {}

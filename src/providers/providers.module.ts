import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Breakers } from './breakers';
import { CallTally } from './call-tally';
import { Client } from './client';
import { ProviderHealth } from './provider-health';
import { Registry } from './registry';
import { Reviews } from './reviews';
import { Routes } from './routes';

const KIT = [Breakers, CallTally, Client, ProviderHealth, Registry, Reviews, Routes];

/** For whoever speaks with providers, gateways and issuers. */
@Global()
@Module({ imports: [DiscoveryModule], providers: KIT, exports: KIT })
export class ProvidersModule {}

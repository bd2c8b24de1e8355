import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Breakers } from './breakers';
import { Client } from './client';
import { Floats } from './floats';
import { Health } from './health';
import { ProviderHttp } from './http';
import { Journal } from './journal';
import { Readiness } from './readiness';
import { Registry } from './registry';
import { Requeries, REQUERIES_QUEUE } from './requeries';
import { Reviews } from './reviews';
import { Routes } from './routes';
import { Sessions } from './sessions';
import { Statements } from './statements';

const KIT = [
  Breakers,
  Client,
  Floats,
  Health,
  Journal,
  ProviderHttp,
  Readiness,
  Registry,
  Requeries,
  Reviews,
  Routes,
  Sessions,
  Statements,
];

/** For whoever speaks with providers, gateways and issuers. */
@Global()
@Module({
  imports: [BullModule.registerQueue({ name: REQUERIES_QUEUE }), DiscoveryModule],
  providers: KIT,
  exports: KIT,
})
export class ProvidersModule {}

import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Breakers } from './breakers';
import { Client } from './client';
import { Registry } from './registry';
import { Requeries, REQUERIES_QUEUE } from './requeries';
import { Reviews } from './reviews';
import { Routes } from './routes';

const KIT = [Breakers, Client, Registry, Requeries, Reviews, Routes];

/** For whoever speaks with providers, gateways and issuers. */
@Global()
@Module({
  imports: [BullModule.registerQueue({ name: REQUERIES_QUEUE }), DiscoveryModule],
  providers: KIT,
  exports: KIT,
})
export class ProvidersModule {}

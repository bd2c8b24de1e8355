import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Resources } from './resources';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Resources], exports: [Resources] })
export class ResourcesModule {}

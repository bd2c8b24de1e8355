import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Endings } from './endings';
import { Resources } from './resources';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Endings, Resources], exports: [Endings, Resources] })
export class ResourcesModule {}

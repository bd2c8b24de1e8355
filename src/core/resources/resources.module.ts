import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Endings } from './endings';
import { Resources } from './resources';

/** Imported after the queues: at its end a process answers whoever waits before it waits for its jobs. */
@Global()
@Module({ imports: [DiscoveryModule], providers: [Endings, Resources], exports: [Endings, Resources] })
export class ResourcesModule {}

import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ExtensionDiscovery, ExtensionRegistry } from './extension-registry';
import { Extensions } from './extensions';
import { HookJobs, HookRuns, HOOKS_QUEUE } from './hook-jobs';
import { Observers } from './observers';
import { PointRunner } from './point-runner';
import { Refusals } from './refusals';

/** The points at which internal teams extend the service. */
@Global()
@Module({
  imports: [DiscoveryModule, BullModule.registerQueue({ name: HOOKS_QUEUE })],
  providers: [ExtensionDiscovery, ExtensionRegistry, Extensions, HookJobs, HookRuns, Observers, PointRunner, Refusals],
  exports: [Extensions, ExtensionRegistry, PointRunner],
})
export class ExtensionModule {}

import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Clock } from './clock/clock';
import { Rewinds } from './clock/rewinds';
import { ShownTimes } from './clock/shown-times';
import { Wakers } from './clock/wakers';
import { DatabaseModule } from './database/database.module';
import { ExtensionModule } from './extension/extension.module';
import { HttpModule } from './http/http.module';
import { Idempotency } from './idempotency/idempotency';
import { ResendController } from './idempotency/resend.controller';
import { EventLog } from './outbox/event-log';
import { QueueModule } from './queue/queue.module';
import { RequestLog, RetiredCalls } from './request-log/request-log';
import { ResourcesModule } from './resources/resources.module';
import { requireKeyOfAll } from './secrets/rotation';
import { SecretBox } from './secrets/secret-box';

const SHARED = [Clock, EventLog, Idempotency, RequestLog, RetiredCalls, Rewinds, SecretBox, ShownTimes, Wakers];

/**
 * What every module may use. All of it is global. At the end of a process the hooks of this module run after those of
 * the modules that it imports, the last of them first: `onApplicationShutdown` would find the database closed.
 */
@Global()
@Module({
  imports: [DiscoveryModule, DatabaseModule, ExtensionModule, HttpModule, QueueModule, ResourcesModule],
  controllers: [ResendController],
  providers: SHARED,
  exports: SHARED,
})
export class CoreModule implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): Promise<void> {
    return requireKeyOfAll(this.dataSource, this.box);
  }
}

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
import { Endings } from './resources/endings';
import { Resources } from './resources/resources';
import { requireKeyOfAll } from './secrets/rotation';
import { SecretBox } from './secrets/secret-box';

const SHARED = [
  Clock,
  Endings,
  EventLog,
  Idempotency,
  RequestLog,
  Resources,
  RetiredCalls,
  Rewinds,
  SecretBox,
  ShownTimes,
  Wakers,
];

/**
 * What every module may use. All of it is global. What ends after the database is closed would stand here too late:
 * this module's `onApplicationShutdown` comes after those of the modules that it imports.
 */
@Global()
@Module({
  imports: [DiscoveryModule, DatabaseModule, ExtensionModule, HttpModule, QueueModule],
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

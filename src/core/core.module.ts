import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from './clock/clock';
import { Rewinds } from './clock/rewinds';
import { ShownTimes } from './clock/shown-times';
import { Wakers } from './clock/wakers';
import { DatabaseModule } from './database/database.module';
import { ExtensionModule } from './extension/extension.module';
import { HttpModule } from './http/http.module';
import { Idempotency } from './idempotency/idempotency';
import { ResendController } from './idempotency/resend.controller';
import { OutboxModule } from './outbox/outbox.module';
import { QueueModule } from './queue/queue.module';
import { RequestLog, RetiredCalls } from './request-log/request-log';
import { Endings } from './resources/endings';
import { Resources } from './resources/resources';
import { SecretsModule } from './secrets/secrets.module';

const SHARED = [Clock, Endings, Idempotency, RequestLog, Resources, RetiredCalls, Rewinds, ShownTimes, Wakers];

/**
 * What every module may use. All of it is global. What is asked at boot, in this order, keeps a module of its own: the
 * database who logs in, the outbox which epoch it is, the queues, the secrets which key is theirs.
 */
@Global()
@Module({
  imports: [DiscoveryModule, DatabaseModule, ExtensionModule, HttpModule, OutboxModule, QueueModule, SecretsModule],
  controllers: [ResendController],
  providers: SHARED,
  exports: SHARED,
})
export class CoreModule {}

import { Module } from '@nestjs/common';
import { ClockModule } from './clock/clock.module';
import { DatabaseModule } from './database/database.module';
import { ExtensionModule } from './extension/extension.module';
import { HttpModule } from './http/http.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { OutboxModule } from './outbox/outbox.module';
import { QueueModule } from './queue/queue.module';
import { RequestLogModule } from './request-log/request-log.module';
import { ResourcesModule } from './resources/resources.module';
import { SecretsModule } from './secrets/secrets.module';

/** What every module may use. All of it is global. */
@Module({
  imports: [
    ClockModule,
    DatabaseModule,
    ExtensionModule,
    HttpModule,
    IdempotencyModule,
    OutboxModule,
    QueueModule,
    RequestLogModule,
    ResourcesModule,
    SecretsModule,
  ],
})
export class CoreModule {}

import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from './core/config/config.module';
import type { Env } from './core/config/env';
import { DatabaseModule } from './core/database/database.module';
import { HttpModule } from './core/http/http.module';
import { IdempotencyModule } from './core/idempotency/idempotency.module';
import { OutboxModule } from './core/outbox/outbox.module';
import { QueueModule } from './core/queue/queue.module';
import { ResourcesModule } from './core/resources/resources.module';
import { ApiKeysModule } from './modules/api-keys/api-keys.module';
import { SandboxModule } from './modules/sandbox/sandbox.module';
import { TransactionsModule } from './modules/transactions/transactions.module';
import { WalletsModule } from './modules/wallets/wallets.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';

const CORE = [DatabaseModule, HttpModule, IdempotencyModule, OutboxModule, QueueModule, ResourcesModule];
const RESOURCES = [ApiKeysModule, WalletsModule, TransactionsModule, WebhooksModule, SandboxModule];

/** The list of modules. */
@Module({})
export class AppModule {
  static register(env: Env): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.register(env), ...CORE, ...RESOURCES] };
  }
}

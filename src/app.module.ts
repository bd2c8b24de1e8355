import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ConfigModule } from './core/config/config.module';
import type { Env } from './core/config/env';
import { CoreModule } from './core/core.module';
import { ExtensionsModule } from './extensions/extensions.module';
import { AccountsModule } from './modules/accounts/accounts.module';
import { AirtimeModule } from './modules/airtime/airtime.module';
import { BillsModule } from './modules/bills/bills.module';
import { CardsModule } from './modules/cards/cards.module';
import { DashboardApiModule } from './modules/dashboard-api/dashboard-api.module';
import { DataModule } from './modules/data/data.module';
import { PaymentsModule } from './modules/payments/payments.module';
import { PlatformModule } from './modules/platform/platform.module';
import { PurchasesModule } from './modules/purchases/purchases.module';
import { SandboxModule } from './modules/sandbox/sandbox.module';
import { TransactionsModule } from './modules/transactions/transactions.module';
import { WalletsModule } from './modules/wallets/wallets.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';
import { ProvidersModule } from './providers/providers.module';

const RESOURCES = [
  AccountsModule,
  WalletsModule,
  TransactionsModule,
  PurchasesModule,
  AirtimeModule,
  DataModule,
  BillsModule,
  CardsModule,
  PaymentsModule,
  WebhooksModule,
  SandboxModule,
  DashboardApiModule,
  PlatformModule,
];

/** The list of modules. */
@Module({})
export class AppModule {
  /** `more`: what only one kind of process serves. */
  static register(env: Env, ...more: Type[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(env),
        CoreModule,
        ProvidersModule,
        ...RESOURCES,
        ...more,
        ExtensionsModule.register(),
      ],
    };
  }
}

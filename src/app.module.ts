import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { bookChecks } from './book-checks';
import { ConfigModule } from './core/config/config.module';
import type { Env } from './core/config/env';
import { CoreModule, DATABASE_POOL } from './core/core.module';
import { moduleOf, openTeams } from './core/extension/teams';
import { TEAMS } from './extensions/extensions.module';
import { AccountsModule } from './modules/accounts/accounts.module';
import { AirtimeModule } from './modules/airtime/airtime.module';
import { BatchesModule } from './modules/batches/batches.module';
import { BeneficiariesModule } from './modules/beneficiaries/beneficiaries.module';
import { BillsModule } from './modules/bills/bills.module';
import { CardsModule } from './modules/cards/cards.module';
import { PayoutsModule } from './modules/payouts/payouts.module';
import { VirtualAccountsModule } from './modules/virtual-accounts/virtual-accounts.module';
import { ConversionsModule } from './modules/conversions/conversions.module';
import { DashboardApiModule } from './modules/dashboard-api/dashboard-api.module';
import { DataModule } from './modules/data/data.module';
import { LedgerModule } from './modules/ledger/ledger.module';
import { Verifications } from './modules/ledger/verifications';
import { PaymentsModule } from './modules/payments/payments.module';
import { PlatformModule } from './modules/platform/platform.module';
import { PurchasesModule } from './modules/purchases/purchases.module';
import { RequestLogsModule } from './modules/request-logs/request-logs.module';
import { StatementsModule } from './modules/statements/statements.module';
import { SandboxModule } from './modules/sandbox/sandbox.module';
import { TransactionsModule } from './modules/transactions/transactions.module';
import { WalletsModule } from './modules/wallets/wallets.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';
import { ProvidersModule } from './providers/providers.module';

const RESOURCES = [
  LedgerModule,
  AccountsModule,
  BeneficiariesModule,
  WalletsModule,
  TransactionsModule,
  PurchasesModule,
  AirtimeModule,
  DataModule,
  BillsModule,
  CardsModule,
  PaymentsModule,
  ConversionsModule,
  StatementsModule,
  PayoutsModule,
  BatchesModule,
  VirtualAccountsModule,
  RequestLogsModule,
  WebhooksModule,
  SandboxModule,
  DashboardApiModule,
  PlatformModule,
];

/**
 * The list of modules. Each of the first three starts before those behind it and ends after them; the pool of the
 * database opens first and closes last. Listed in `register`, it would be closed before them.
 */
@Module({ imports: [DATABASE_POOL, ProvidersModule, CoreModule, ...RESOURCES] })
export class AppModule {
  constructor(verifications: Verifications) {
    verifications.include(bookChecks());
  }

  /**
   * With what teams add; throws `CannotStart` where two have declared the same. `controllers`: of routes that only one
   * kind of process serves.
   */
  static register(env: Env, ...controllers: Type[]): DynamicModule {
    openTeams(TEAMS);
    return { module: AppModule, controllers, imports: [ConfigModule.register(env), ...TEAMS.map(moduleOf)] };
  }
}

import { Module } from '@nestjs/common';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { ClockController } from './clock.controller';
import { CreditsService } from './credits.service';
import { SamplesModule } from './samples.module';
import { SandboxCardsModule } from './sandbox-cards.module';
import { SandboxController } from './sandbox.controller';
import { SandboxPurchasesController } from './sandbox-purchases.controller';
import { SandboxService } from './sandbox.service';
import { ScenariosModule } from './scenarios.module';
import { SettlementsService } from './settlements.service';

/** What only test keys can do: make money, time and trouble. */
@Module({
  imports: [
    PurchasesModule,
    SamplesModule,
    SandboxCardsModule,
    ScenariosModule,
    TransactionsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [SandboxController, SandboxPurchasesController, ClockController],
  providers: [SandboxService, CreditsService, SettlementsService],
})
export class SandboxModule {}

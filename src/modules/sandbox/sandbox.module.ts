import { Module } from '@nestjs/common';
import { BillsModule } from '../bills/bills.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { ClockController } from './clock.controller';
import { CreditsService } from './credits.service';
import { SamplesController } from './samples.controller';
import { SamplesService } from './samples.service';
import { SandboxController } from './sandbox.controller';
import { SandboxPurchasesController } from './sandbox-purchases.controller';
import { SandboxService } from './sandbox.service';
import { ScenariosController } from './scenarios.controller';
import { SettlementsService } from './settlements.service';

/** What only test keys can do: make money, time and trouble. */
@Module({
  imports: [BillsModule, PurchasesModule, TransactionsModule, WalletsModule, WebhooksModule],
  controllers: [SandboxController, SandboxPurchasesController, ClockController, SamplesController, ScenariosController],
  providers: [SandboxService, CreditsService, SamplesService, SettlementsService],
})
export class SandboxModule {}

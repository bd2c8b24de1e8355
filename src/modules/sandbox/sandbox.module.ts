import { Module } from '@nestjs/common';
import { BillsModule } from '../bills/bills.module';
import { CardsModule } from '../cards/cards.module';
import { PaymentsModule } from '../payments/payments.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { VirtualAccountsModule } from '../virtual-accounts/virtual-accounts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { OutsideService } from './outside.service';
import { SamplesService } from './samples.service';
import { ClockController, OutsideController, SandboxController, TransfersInController } from './sandbox.controller';
import { SandboxService } from './sandbox.service';

/** What only test keys can do: make money, time and trouble. */
@Module({
  imports: [
    BillsModule,
    CardsModule,
    PaymentsModule,
    PurchasesModule,
    TransactionsModule,
    VirtualAccountsModule,
    WalletsModule,
  ],
  controllers: [SandboxController, ClockController, OutsideController, TransfersInController],
  providers: [SandboxService, SamplesService, OutsideService],
})
export class SandboxModule {}

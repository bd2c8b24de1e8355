import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { ChecksService } from './checks.service';
import { EndingsService } from './endings.service';
import { GatewaysModule } from './gateways.module';
import { PaymentChangesService } from './payment-changes.service';
import { PaymentReviewService } from './payment-review.service';
import { PaymentStore } from './payment-store.service';
import { Payment } from './payment.entity';
import { PlatformAccounts } from './platform-accounts.service';
import { SettlementService } from './settlement.service';

/** From what a gateway says to an end. */
@Module({
  imports: [TypeOrmModule.forFeature([Payment]), LedgerModule, TransactionsModule, WalletsModule, GatewaysModule],
  providers: [
    ChecksService,
    EndingsService,
    PaymentChangesService,
    PaymentReviewService,
    PaymentStore,
    PlatformAccounts,
    SettlementService,
  ],
  exports: [ChecksService, PaymentChangesService, PaymentReviewService, PaymentStore, PlatformAccounts],
})
export class SettlementModule {}

import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PricingModule } from '../pricing/pricing.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { ProviderClient } from './provider-client';
import { Purchase, PurchaseAttempt } from './purchase.entity';
import { PurchaseRun } from './purchase-run';
import { CHECKS_QUEUE, PurchaseStore } from './purchase-store';
import { PurchaseTimeline } from './purchase-timeline';
import { PurchasesController } from './purchases.controller';
import { PurchasesService } from './purchases.service';
import { QueuedPurchases } from './queued-purchases';
import { Requeries } from './requeries';
import { ReviewService } from './review.service';
import { SandboxOperator } from './sandbox-operator.service';
import { TermsService } from './terms.service';

/** The one story of airtime, data and bills: hold, ask a provider, settle. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Purchase, PurchaseAttempt]),
    BullModule.registerQueue({ name: CHECKS_QUEUE }),
    AccountsModule,
    LedgerModule,
    PricingModule,
    TransactionsModule,
    WalletsModule,
  ],
  controllers: [PurchasesController],
  providers: [
    ProviderClient,
    PurchaseRun,
    PurchaseStore,
    PurchaseTimeline,
    PurchasesService,
    QueuedPurchases,
    Requeries,
    ReviewService,
    SandboxOperator,
    TermsService,
  ],
  exports: [PurchasesService, QueuedPurchases, Requeries, ReviewService, SandboxOperator],
})
export class PurchasesModule {}

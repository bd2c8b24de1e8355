import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { ConversionsModule } from '../conversions/conversions.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { FloatBookings } from './float-bookings';
import { ProviderClient } from './provider-client';
import { Purchase, PurchaseAttempt } from './purchase.entity';
import { PurchaseCallbacks } from './purchase-callbacks';
import { PurchaseRequeries } from './purchase-requeries';
import { PurchaseRun } from './purchase-run';
import { PurchaseStore } from './purchase-store';
import { PurchaseTimeline } from './purchase-timeline';
import { PurchaseCallbacksController, PurchasesController } from './purchases.controller';
import { PurchasesService } from './purchases.service';
import { QueuedPurchases } from './queued-purchases';
import { ReviewService } from './review.service';
import { SandboxCalls } from './sandbox/calls';
import { SandboxOperator } from './sandbox-operator.service';
import { TermsService } from './terms.service';

/** The one story of airtime, data and bills: hold, ask a provider, settle. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Purchase, PurchaseAttempt]),
    AccountsModule,
    ConversionsModule,
    LedgerModule,
    TransactionsModule,
    WalletsModule,
  ],
  controllers: [PurchasesController, PurchaseCallbacksController],
  providers: [
    // Before the requeries: what is told when a clock is moved is asked about at that time.
    SandboxCalls,
    FloatBookings,
    ProviderClient,
    PurchaseCallbacks,
    PurchaseRequeries,
    PurchaseRun,
    PurchaseStore,
    PurchaseTimeline,
    PurchasesService,
    QueuedPurchases,
    ReviewService,
    SandboxOperator,
    TermsService,
  ],
  exports: [FloatBookings, PurchasesService, QueuedPurchases, PurchaseRequeries, ReviewService, SandboxOperator],
})
export class PurchasesModule {}

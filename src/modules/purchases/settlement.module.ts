import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CheckQueue, CHECKS_QUEUE } from './check-queue.service';
import { LoadingService } from './loading.service';
import { PostingsService } from './postings.service';
import { ProvidersModule } from './providers.module';
import { PurchaseAttempt } from './purchase-attempt.entity';
import { Purchase } from './purchase.entity';
import { PurchaseStore } from './purchase-store.service';
import { RunnerService } from './runner.service';
import { SettlementService } from './settlement.service';
import { PurchaseTimeline } from './purchase-timeline';

/** From an attempt to an end: asking, settling, waiting for a requery. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Purchase, PurchaseAttempt]),
    BullModule.registerQueue({ name: CHECKS_QUEUE }),
    LedgerModule,
    TransactionsModule,
    ProvidersModule,
  ],
  providers: [
    CheckQueue,
    LoadingService,
    PostingsService,
    PurchaseStore,
    RunnerService,
    SettlementService,
    PurchaseTimeline,
  ],
  exports: [CheckQueue, LoadingService, PostingsService, PurchaseStore, RunnerService, SettlementService],
})
export class SettlementModule {}

import { Module } from '@nestjs/common';
import { TransactionsModule } from '../transactions/transactions.module';
import { AcceptanceModule } from './acceptance.module';
import { ChecksProcessor } from './checks.processor';
import { ChecksService } from './checks.service';
import { DueService } from './due.service';
import { ProvidersModule } from './providers.module';
import { PurchaseChangesService } from './purchase-changes.service';
import { PurchasesController } from './purchases.controller';
import { PurchasesService } from './purchases.service';
import { ReviewService } from './review.service';
import { SettlementModule } from './settlement.module';
import { SweeperService } from './sweeper.service';
import { WaitingService } from './waiting.service';

/** The one story of airtime, data and bills: hold, ask a provider, settle. */
@Module({
  imports: [TransactionsModule, ProvidersModule, AcceptanceModule, SettlementModule],
  controllers: [PurchasesController],
  providers: [
    ChecksProcessor,
    ChecksService,
    DueService,
    PurchaseChangesService,
    PurchasesService,
    ReviewService,
    SweeperService,
    WaitingService,
  ],
  exports: [PurchasesService, PurchaseChangesService, ReviewService, SweeperService, ProvidersModule, AcceptanceModule],
})
export class PurchasesModule {}

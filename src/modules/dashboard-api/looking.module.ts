import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { PaymentsModule } from '../payments/payments.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { PricingModule } from '../pricing/pricing.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { IdentityModule } from './identity.module';
import { LedgerLinesService } from './ledger-lines.service';
import { OpenReviews } from './open-reviews.service';
import { OperatorsController } from './operators.controller';
import { OperatorsService } from './operators.service';
import { OverviewController } from './overview.controller';
import { OverviewService } from './overview.service';
import { RequestLogController } from './request-log.controller';
import { RequestLogService } from './request-log.service';
import { ReviewsController } from './reviews.controller';
import { SearchService } from './search.service';
import { DashboardTransactionsController } from './transactions.controller';

/** What the dashboard shows besides the public API. */
@Module({
  imports: [
    IdentityModule,
    LedgerModule,
    PricingModule,
    TransactionsModule,
    WalletsModule,
    PaymentsModule,
    PurchasesModule,
  ],
  controllers: [
    OperatorsController,
    OverviewController,
    RequestLogController,
    ReviewsController,
    DashboardTransactionsController,
  ],
  providers: [LedgerLinesService, OpenReviews, OperatorsService, OverviewService, RequestLogService, SearchService],
  exports: [OpenReviews],
})
export class LookingModule {}

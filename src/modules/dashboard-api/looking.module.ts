import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { LedgerLinesService } from './ledger-lines.service';
import { OverviewController } from './overview.controller';
import { OverviewService } from './overview.service';
import { RequestLogController } from './request-log.controller';
import { RequestLogService } from './request-log.service';
import { SearchService } from './search.service';
import { DashboardTransactionsController } from './transactions.controller';

/** What the dashboard shows besides the public API. */
@Module({
  imports: [LedgerModule, TransactionsModule, WalletsModule],
  controllers: [OverviewController, RequestLogController, DashboardTransactionsController],
  providers: [LedgerLinesService, OverviewService, RequestLogService, SearchService],
})
export class LookingModule {}

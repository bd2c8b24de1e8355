import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { Approval } from './approval.entity';
import { Approvals } from './approvals';
import { TimelineService } from './timeline.service';
import { TransactionResources } from './transaction-resources.service';
import { Transaction } from './transaction.entity';
import { TransactionsController } from './transactions.controller';
import { TransactionsService } from './transactions.service';

@Module({
  imports: [TypeOrmModule.forFeature([Approval, Transaction]), LedgerModule, WebhooksModule],
  controllers: [TransactionsController],
  providers: [Approvals, TransactionsService, TimelineService, TransactionResources],
  exports: [Approvals, TransactionsService, TransactionResources, TimelineService],
})
export class TransactionsModule {}

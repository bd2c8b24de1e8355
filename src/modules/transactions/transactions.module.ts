import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { TimelineService } from './timeline.service';
import { TransactionResources } from './transaction-resources.service';
import { Transaction } from './transaction.entity';
import { TransactionsController } from './transactions.controller';
import { TransactionsService } from './transactions.service';

@Module({
  imports: [TypeOrmModule.forFeature([Transaction]), LedgerModule, WebhooksModule],
  controllers: [TransactionsController],
  providers: [TransactionsService, TimelineService, TransactionResources],
  exports: [TransactionsService, TransactionResources, TimelineService],
})
export class TransactionsModule {}

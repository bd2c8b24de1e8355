import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { DeliveriesReadModule } from '../webhooks/deliveries-read.module';
import { TimelineService } from './timeline.service';
import { TransactionResources } from './transaction-resources.service';
import { Transaction } from './transaction.entity';
import { TransactionsController } from './transactions.controller';
import { TransactionsService } from './transactions.service';

@Module({
  imports: [TypeOrmModule.forFeature([Transaction]), LedgerModule, DeliveriesReadModule],
  controllers: [TransactionsController],
  providers: [TransactionsService, TimelineService, TransactionResources],
  exports: [TransactionsService, TransactionResources, TimelineService],
})
export class TransactionsModule {}

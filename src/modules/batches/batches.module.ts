import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { AirtimeModule } from '../airtime/airtime.module';
import { BillsModule } from '../bills/bills.module';
import { DataModule } from '../data/data.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PayoutsModule } from '../payouts/payouts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { Batch, BatchItem } from './batch.entity';
import { BatchKinds } from './batch-kinds';
import { BatchRun } from './batch-run';
import { BatchStore } from './batch-store';
import { BatchesController } from './batches.controller';
import { BatchesService } from './batches.service';

/** Many orders that are placed at once: airtime, data, bills, transfers or payouts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Batch, BatchItem]),
    AccountsModule,
    LedgerModule,
    WalletsModule,
    AirtimeModule,
    DataModule,
    BillsModule,
    PayoutsModule,
  ],
  controllers: [BatchesController],
  providers: [BatchStore, BatchKinds, BatchRun, BatchesService],
})
export class BatchesModule {}

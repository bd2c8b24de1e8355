import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { DepositsService } from './deposits.service';
import { Transfer } from './transfer.entity';
import { TransferResources } from './transfer-resources.service';
import { TransfersController } from './transfers.controller';
import { TransferHooks } from './transfers.hooks';
import { TransfersService } from './transfers.service';

/** Money that moves into a wallet or between two. */
@Module({
  imports: [AccountsModule, TypeOrmModule.forFeature([Transfer]), LedgerModule, TransactionsModule],
  controllers: [TransfersController],
  providers: [TransfersService, TransferHooks, DepositsService, TransferResources],
  exports: [TransfersService, DepositsService],
})
export class TransfersModule {}

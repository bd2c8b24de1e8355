import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { AccountController } from './account.controller';
import { DepositsService } from './deposits.service';
import { AccountOpeningService } from './opening.service';
import { StatementsService } from './statements.service';
import { Transfer } from './transfer.entity';
import { TransfersController } from './transfers.controller';
import { TransfersService } from './transfers.service';
import { Wallet } from './wallet.entity';
import { WalletResources } from './wallet-resources.service';
import { WalletsController } from './wallets.controller';
import { WalletsService } from './wallets.service';

@Module({
  imports: [TypeOrmModule.forFeature([Wallet, Transfer]), AccountsModule, LedgerModule, TransactionsModule],
  // Transfers first: `transfers` would else be taken for the id of a wallet.
  controllers: [AccountController, TransfersController, WalletsController],
  providers: [WalletsService, TransfersService, StatementsService, DepositsService, AccountOpeningService, WalletResources],
  exports: [WalletsService, TransfersService, DepositsService, AccountOpeningService],
})
export class WalletsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { AccountController } from './account.controller';
import { AccountOpeningService } from './opening.service';
import { StatementsService } from './statements.service';
import { TransfersModule } from './transfers.module';
import { Wallet } from './wallet.entity';
import { WalletChangesController } from './wallet-changes.controller';
import { WalletChangesService } from './wallet-changes.service';
import { WalletOpeningService } from './wallet-opening.service';
import { WalletResources } from './wallet-resources.service';
import { WalletsController } from './wallets.controller';
import { WalletsService } from './wallets.service';

@Module({
  imports: [TypeOrmModule.forFeature([Wallet]), AccountsModule, LedgerModule, TransfersModule],
  controllers: [AccountController, WalletsController, WalletChangesController],
  providers: [
    WalletsService,
    WalletOpeningService,
    WalletChangesService,
    StatementsService,
    AccountOpeningService,
    WalletResources,
  ],
  exports: [WalletsService, WalletOpeningService, WalletChangesService, AccountOpeningService, TransfersModule],
})
export class WalletsModule {}

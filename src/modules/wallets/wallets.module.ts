import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CellCredits } from './cell-credits.service';
import { CellCredit, CellTransfer } from './cell-transfer.entity';
import { CellTransfersController } from './cell-transfers.controller';
import { CellTransferStore } from './cell-transfer-store';
import { CellTransfersService } from './cell-transfers.service';
import { DepositsService } from './deposits.service';
import { JointTransfersService } from './joint-transfers.service';
import { Transfer } from './transfer.entity';
import { TransfersController } from './transfers.controller';
import { TransfersService } from './transfers.service';
import { Wallet } from './wallet.entity';
import { WalletChangesService } from './wallet-changes.service';
import { WalletFreezesService } from './wallet-freezes.service';
import { AccountController, WalletResources, WalletsController } from './wallets.controller';
import { WalletsService } from './wallets.service';

/** Wallets, and money that moves into one or between two. */
@Module({
  imports: [
    TypeOrmModule.forFeature([CellCredit, CellTransfer, Transfer, Wallet]),
    AccountsModule,
    BeneficiariesModule,
    LedgerModule,
    TransactionsModule,
  ],
  controllers: [CellTransfersController, TransfersController, AccountController, WalletsController],
  providers: [
    CellCredits,
    CellTransferStore,
    CellTransfersService,
    WalletsService,
    WalletChangesService,
    WalletFreezesService,
    TransfersService,
    JointTransfersService,
    DepositsService,
    WalletResources,
  ],
  exports: [
    WalletsService,
    WalletChangesService,
    WalletFreezesService,
    TransfersService,
    JointTransfersService,
    DepositsService,
  ],
})
export class WalletsModule {}

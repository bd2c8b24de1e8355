import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { BankClient } from './bank-client';
import { Deposit } from './deposit.entity';
import { DepositReads } from './deposit-reads';
import { DepositReviewService } from './deposit-review.service';
import { DepositRun } from './deposit-run';
import { DepositSettlement } from './deposit-settlement';
import { DepositStore } from './deposit-store';
import { SandboxTransferBank, SandboxVirtualAccounts } from './sandbox/sandbox.provider';
import { VirtualAccount } from './virtual-account.entity';
import { VirtualAccountRun } from './virtual-account-run';
import { ArrivalsController, DepositsController, VirtualAccountsController } from './virtual-accounts.controller';
import { VirtualAccountsService } from './virtual-accounts.service';

/** Money in by bank transfer: numbers that payers pay into, and what arrives there. */
@Module({
  imports: [
    AccountsModule,
    TypeOrmModule.forFeature([VirtualAccount, Deposit]),
    LedgerModule,
    TransactionsModule,
    WalletsModule,
  ],
  controllers: [VirtualAccountsController, DepositsController, ArrivalsController],
  providers: [
    BankClient,
    DepositReads,
    DepositReviewService,
    DepositRun,
    DepositSettlement,
    DepositStore,
    SandboxTransferBank,
    SandboxVirtualAccounts,
    VirtualAccountRun,
    VirtualAccountsService,
  ],
  exports: [DepositReviewService, SandboxTransferBank, VirtualAccountsService],
})
export class VirtualAccountsModule {}

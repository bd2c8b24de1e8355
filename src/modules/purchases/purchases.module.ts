import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { PurchasesService } from './purchases.service';
import { SandboxOperator } from './sandbox-operator.service';

/** The one story of airtime, data and bills: hold, ask a provider, settle. */
@Module({
  imports: [LedgerModule, WalletsModule, TransactionsModule],
  providers: [PurchasesService, SandboxOperator],
  exports: [PurchasesService, SandboxOperator],
})
export class PurchasesModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BillValidation } from './bill-validation.entity';
import { BillCategory, Biller, BillerItem } from './biller.entity';
import { BillsController } from './bills.controller';
import { BillsService } from './bills.service';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
import { SandboxBillers } from './providers/sandbox/sandbox-billers.service';
import { SandboxBackupBills, SandboxBills } from './providers/sandbox/sandbox.provider';
import { ValidationsService } from './validations.service';

/** Bills: who can be paid, who the customers are, and the payment. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillCategory, Biller, BillerItem, BillValidation]),
    AccountsModule,
    BeneficiariesModule,
    PurchasesModule,
    TransactionsModule,
  ],
  controllers: [CatalogueController, BillsController],
  providers: [CatalogueService, ValidationsService, BillsService, SandboxBillers, SandboxBills, SandboxBackupBills],
  exports: [BillsService, CatalogueService, SandboxBillers],
})
export class BillsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BillValidation } from './bill-validation.entity';
import { BillsController } from './bills.controller';
import { BillsService } from './bills.service';
import { CatalogueModule } from './catalogue.module';
import { SandboxBackupBills, SandboxBills } from './providers/sandbox/sandbox.provider';
import { SandboxBillers } from './providers/sandbox/sandbox-billers.service';
import { ValidationResources } from './validation-resources.service';
import { ValidationsService } from './validations.service';

/** Bills: who can be paid, who the customers are, and the payment. */
@Module({
  imports: [TypeOrmModule.forFeature([BillValidation]), CatalogueModule, PurchasesModule, TransactionsModule],
  controllers: [BillsController],
  providers: [BillsService, SandboxBackupBills, SandboxBillers, SandboxBills, ValidationResources, ValidationsService],
  exports: [SandboxBillers],
})
export class BillsModule {}

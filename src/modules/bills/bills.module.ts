import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { BillValidation } from './bill-validation.entity';
import { BillsController } from './bills.controller';
import { BillsService } from './bills.service';
import { CatalogueModule } from './catalogue.module';
import { CustomersService } from './customers.service';
import { IdentificationService } from './identification.service';
import { SandboxBillsModule } from './providers/sandbox/sandbox.module';
import { ValidationResources } from './validation-resources.service';
import { ValidationsService } from './validations.service';

/** Bills: who can be paid, who the customers are, and the payment. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillValidation]),
    CatalogueModule,
    SandboxBillsModule,
    PurchasesModule,
    TransactionsModule,
  ],
  controllers: [BillsController],
  providers: [CustomersService, IdentificationService, ValidationsService, ValidationResources, BillsService],
  exports: [SandboxBillsModule],
})
export class BillsModule {}

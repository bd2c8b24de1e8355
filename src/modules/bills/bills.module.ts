import { Module } from '@nestjs/common';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';

@Module({ imports: [PurchasesModule, TransactionsModule] })
export class BillsModule {}

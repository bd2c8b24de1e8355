import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { Network } from './network.entity';
import { NetworksService } from './networks.service';
import { PhoneService } from './phone.service';

@Module({
  imports: [TypeOrmModule.forFeature([Network]), PurchasesModule, TransactionsModule],
  providers: [NetworksService, PhoneService],
  exports: [NetworksService, PhoneService],
})
export class AirtimeModule {}

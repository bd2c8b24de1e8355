import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AirtimeController } from './airtime.controller';
import { AirtimeService } from './airtime.service';
import { Network } from './network.entity';
import { NetworksService } from './networks.service';
import { PhoneController } from './phone.controller';
import { PhoneService } from './phone.service';
import { SandboxAirtime, SandboxBackupAirtime } from './providers/sandbox/sandbox.provider';

@Module({
  imports: [TypeOrmModule.forFeature([Network]), PurchasesModule, TransactionsModule, WalletsModule],
  controllers: [AirtimeController, PhoneController],
  providers: [AirtimeService, NetworksService, PhoneService, SandboxAirtime, SandboxBackupAirtime],
  exports: [NetworksService, PhoneService],
})
export class AirtimeModule {}

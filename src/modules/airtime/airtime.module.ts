import { Module } from '@nestjs/common';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { PhonesModule } from '../phones/phones.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AirtimeController } from './airtime.controller';
import { AirtimeService } from './airtime.service';
import { SandboxAirtime, SandboxBackupAirtime } from './providers/sandbox/sandbox.provider';

@Module({
  imports: [BeneficiariesModule, PhonesModule, PurchasesModule, WalletsModule],
  controllers: [AirtimeController],
  providers: [AirtimeService, SandboxAirtime, SandboxBackupAirtime],
  exports: [AirtimeService],
})
export class AirtimeModule {}

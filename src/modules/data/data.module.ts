import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { PhonesModule } from '../phones/phones.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { DataController } from './data.controller';
import { DataPlansService } from './data-plans.service';
import { DataService } from './data.service';
import { PlanImportService } from './plan-import.service';
import { PlanSyncs } from './plan-syncs';
import { SandboxBackupData, SandboxData } from './providers/sandbox/sandbox.provider';

@Module({
  imports: [AccountsModule, BeneficiariesModule, PhonesModule, PurchasesModule],
  controllers: [DataController],
  providers: [DataPlansService, DataService, PlanImportService, PlanSyncs, SandboxData, SandboxBackupData],
  exports: [DataService, PlanImportService, PlanSyncs],
})
export class DataModule {}

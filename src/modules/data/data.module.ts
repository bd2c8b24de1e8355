import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AirtimeModule } from '../airtime/airtime.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CatalogueResources } from './catalogue-resources.service';
import { DataController } from './data.controller';
import { DataService } from './data.service';
import { DataPlansController } from './data-plans.controller';
import { DataPlansService } from './data-plans.service';
import { PlanImportService } from './plan-import.service';
import { SandboxBackupData, SandboxData } from './providers/sandbox/sandbox.provider';

@Module({
  imports: [AccountsModule, AirtimeModule, PurchasesModule, TransactionsModule],
  controllers: [DataPlansController, DataController],
  providers: [DataPlansService, DataService, PlanImportService, CatalogueResources, SandboxData, SandboxBackupData],
  exports: [PlanImportService],
})
export class DataModule {}

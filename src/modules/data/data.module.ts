import { Module } from '@nestjs/common';
import { AirtimeModule } from '../airtime/airtime.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { DataController } from './data.controller';
import { DataService } from './data.service';
import { DataPlansController } from './data-plans.controller';
import { DataPlansService } from './data-plans.service';
import { PlanImportService } from './plan-import.service';
import { SandboxBackupData, SandboxData } from './providers/sandbox/sandbox.provider';

@Module({
  imports: [AirtimeModule, PurchasesModule, TransactionsModule],
  controllers: [DataPlansController, DataController],
  providers: [DataPlansService, DataService, PlanImportService, SandboxData, SandboxBackupData],
  exports: [PlanImportService],
})
export class DataModule {}

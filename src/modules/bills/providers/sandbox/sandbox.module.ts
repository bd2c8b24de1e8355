import { Module } from '@nestjs/common';
import { PurchasesModule } from '../../../purchases/purchases.module';
import { SandboxBillers } from './sandbox-billers.service';
import { SandboxBackupBills, SandboxBills } from './sandbox.provider';

/** The billers of test mode. */
@Module({
  imports: [PurchasesModule],
  providers: [SandboxBillers, SandboxBills, SandboxBackupBills],
  exports: [SandboxBillers],
})
export class SandboxBillsModule {}

import { Module } from '@nestjs/common';
import { BillsModule } from '../bills/bills.module';
import { PaymentsModule } from '../payments/payments.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { SandboxPaymentsController } from './sandbox-payments.controller';
import { ScenariosController } from './scenarios.controller';

/** What can be made to happen in test mode: all of it as a list, and to payments. */
@Module({
  imports: [BillsModule, PaymentsModule, PurchasesModule],
  controllers: [ScenariosController, SandboxPaymentsController],
})
export class ScenariosModule {}

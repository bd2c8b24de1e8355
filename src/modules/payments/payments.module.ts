import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CheckoutModule } from './checkout.module';
import { GatewaysModule } from './gateways.module';
import { PaymentDryRuns } from './payment-dry-runs.service';
import { PaymentResources } from './payment-resources.service';
import { PaymentsSweeper } from './payments-sweeper.service';
import { PaymentsController } from './payments.controller';
import { RequestsModule } from './requests.module';
import { SettlementModule } from './settlement.module';
import { PaymentStory } from './story.service';

/** Money in: from a request to a credited wallet. */
@Module({
  imports: [LedgerModule, TransactionsModule, GatewaysModule, RequestsModule, SettlementModule, CheckoutModule],
  controllers: [PaymentsController],
  providers: [PaymentDryRuns, PaymentResources, PaymentsSweeper, PaymentStory],
  exports: [PaymentResources, RequestsModule, SettlementModule, CheckoutModule],
})
export class PaymentsModule {}

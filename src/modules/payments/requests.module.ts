import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { PricingModule } from '../pricing/pricing.module';
import { WalletsModule } from '../wallets/wallets.module';
import { GatewaysModule } from './gateways.module';
import { PaymentReads } from './payment-reads.service';
import { PaymentRequests } from './payment-requests.service';
import { PaymentTermsService } from './payment-terms.service';
import { Payment } from './payment.entity';
import { PaymentsService } from './payments.service';

/** From a request to a recorded payment. */
@Module({
  imports: [AccountsModule, TypeOrmModule.forFeature([Payment]), PricingModule, WalletsModule, GatewaysModule],
  providers: [PaymentReads, PaymentRequests, PaymentsService, PaymentTermsService],
  exports: [PaymentReads, PaymentsService],
})
export class RequestsModule {}

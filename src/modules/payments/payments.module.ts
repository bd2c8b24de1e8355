import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '../../core/config/env';
import { publicUrl } from '../../core/http/request-context';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { BrandingService } from './branding.service';
import { CheckoutService } from './checkout/checkout.service';
import { CheckoutLinks } from './checkout/checkout-links';
import { CheckoutController, CheckoutLooksController } from './checkout/checkout.controller';
import { GatewayClient } from './gateway-client';
import { PaymentReads } from './payment-reads';
import { PaymentReviewService } from './payment-review.service';
import { PaymentRun } from './payment-run';
import { PaymentRefunds, PaymentStore } from './payment-store';
import { Payment } from './payment.entity';
import { Refund } from './refunds/refund.entity';
import { RefundApprovals } from './refund-approvals';
import { RefundReviewService } from './refund-review.service';
import { RefundRun } from './refunds/refund-run';
import { RefundSettlement } from './refunds/refund-settlement';
import { RefundStore } from './refunds/refund-store';
import { RefundReads, RefundsController } from './refunds/refunds.controller';
import { RefundsService } from './refunds/refunds.service';
import { CallbacksController, PaymentsController } from './payments.controller';
import { PaymentsService } from './payments.service';
import { SandboxPageController } from './sandbox/sandbox-page.controller';
import { SandboxRefunds } from './sandbox/sandbox-refunds';
import { SandboxBank, SandboxBankTransfer, SandboxCard, SandboxDesk } from './sandbox/sandbox.provider';
import { SettlementService } from './settlement.service';

const links = {
  provide: CheckoutLinks,
  inject: [Env],
  useFactory: (env: Env) => new CheckoutLinks(publicUrl(env), env),
};

/** Money in: from a request to a credited wallet. */
@Module({
  imports: [
    AccountsModule,
    TypeOrmModule.forFeature([Payment, Refund]),
    LedgerModule,
    TransactionsModule,
    WalletsModule,
  ],
  controllers: [
    PaymentsController,
    RefundsController,
    CheckoutLooksController,
    SandboxPageController,
    CheckoutController,
    CallbacksController,
  ],
  providers: [
    links,
    BrandingService,
    CheckoutService,
    GatewayClient,
    PaymentReads,
    PaymentReviewService,
    PaymentRun,
    PaymentStore,
    PaymentsService,
    RefundApprovals,
    RefundReads,
    RefundReviewService,
    RefundRun,
    RefundSettlement,
    RefundStore,
    RefundsService,
    { provide: PaymentRefunds, useExisting: RefundRun },
    SandboxBank,
    SandboxBankTransfer,
    SandboxCard,
    SandboxDesk,
    SandboxRefunds,
    SettlementService,
  ],
  exports: [BrandingService, PaymentReads, PaymentReviewService, RefundApprovals, RefundReviewService, SandboxDesk],
})
export class PaymentsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { ConversionsModule } from '../conversions/conversions.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AuthorizationEndpointsController } from './authorization-endpoints.controller';
import { AuthorizationEndpoints } from './authorization-endpoints.service';
import { AuthorizationsService } from './authorizations.service';
import { CardAuthentications } from './card-authentications.service';
import { CardLifecycle } from './card-lifecycle';
import { CardOverview } from './card-overview';
import { CardMoneyService } from './card-money.service';
import { CardReviewService } from './card-review.service';
import { CardResources } from './card-resources.service';
import { CardTransaction } from './card-transaction.entity';
import { CardTransactionsService } from './card-transactions.service';
import { Card, CardTransition } from './card.entity';
import { CardsController } from './cards.controller';
import { CardsService } from './cards.service';
import { ClearingsService } from './clearings.service';
import { CustomerAnonymizing } from './customer-anonymizing.service';
import { CustomerReviewService } from './customer-review.service';
import { Customer } from './customers/customer.entity';
import { CustomerVerification, CustomerVerificationRun } from './customers/customer-verification';
import { CustomersController } from './customers/customers.controller';
import { CustomersService } from './customers/customers.service';
import { IdentityClient } from './customers/identity-client';
import { KycTierLimits } from './customers/kyc-tier-limits.entity';
import { DisputeReviewService } from './dispute-review.service';
import { Dispute } from './disputes/dispute.entity';
import { DisputeRun } from './disputes/dispute-run';
import { DisputeSettlement } from './disputes/dispute-settlement';
import { DisputeStore } from './disputes/dispute-store';
import { DisputesController } from './disputes/disputes.controller';
import { DisputesService } from './disputes/disputes.service';
import { IssuerMessages } from './issuer-messages';
import { IssuerClient } from './issuers/issuer-client';
import { KycLimits } from './kyc-limits.service';
import { CardIssuingService, CardRun } from './issuing/card-issuing.service';
import { CardOpening } from './issuing/card-opening';
import { CardPostings } from './money/card-postings';
import { CardRevealsController } from './reveal/card-reveals.controller';
import { CardReveals } from './reveal/card-reveals.service';
import { SandboxDisputes } from './sandbox/sandbox-disputes';
import { SandboxIdentities } from './sandbox/sandbox-identities';
import { SandboxIssuer, SandboxNumbers } from './sandbox/sandbox.provider';

/** Virtual cards, their holders, and what happens on them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Card, CardTransaction, CardTransition, Customer, Dispute, KycTierLimits]),
    AccountsModule,
    ConversionsModule,
    LedgerModule,
    TransactionsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [
    AuthorizationEndpointsController,
    CardsController,
    CardRevealsController,
    CustomersController,
    DisputesController,
  ],
  providers: [
    IssuerClient,
    AuthorizationEndpoints,
    AuthorizationsService,
    CardAuthentications,
    CardLifecycle,
    CardIssuingService,
    CardMoneyService,
    CardOpening,
    CardOverview,
    CardPostings,
    CardResources,
    CardReveals,
    CardReviewService,
    CardRun,
    CardTransactionsService,
    CardsService,
    ClearingsService,
    CustomerAnonymizing,
    CustomerReviewService,
    CustomerVerification,
    CustomerVerificationRun,
    CustomersService,
    DisputeReviewService,
    DisputeRun,
    DisputeSettlement,
    DisputeStore,
    DisputesService,
    IdentityClient,
    IssuerMessages,
    KycLimits,
    SandboxDisputes,
    SandboxIdentities,
    SandboxIssuer,
    SandboxNumbers,
  ],
  exports: [
    AuthorizationsService,
    CardAuthentications,
    CardLifecycle,
    CardMoneyService,
    CardOverview,
    CardResources,
    CardReviewService,
    CardTransactionsService,
    CardsService,
    ClearingsService,
    CustomerAnonymizing,
    CustomerReviewService,
    CustomersService,
    DisputeReviewService,
    IssuerMessages,
    KycLimits,
  ],
})
export class CardsModule {}

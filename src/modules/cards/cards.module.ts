import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PricingModule } from '../pricing/pricing.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AskingService } from './asking.service';
import { AuthorizationsService } from './authorizations.service';
import { CardAgreementService } from './card-agreement.service';
import { CardChangesService } from './card-changes.service';
import { CardClosing } from './card-closing.service';
import { CardIssuingController } from './card-issuing.controller';
import { CardIssuingService } from './card-issuing.service';
import { CardLeases } from './card-leases.service';
import { CardMoneyController } from './card-money.controller';
import { CardMoneyService } from './card-money.service';
import { CardMovesService } from './card-moves.service';
import { CardOpeningService } from './card-opening.service';
import { CardOwnership } from './card-ownership.service';
import { CardPostings } from './card-postings.service';
import { CardReset } from './card-reset.service';
import { CardResources } from './card-resources.service';
import { CardRevealsController } from './card-reveals.controller';
import { CardReveals } from './card-reveals.service';
import { CardRunner } from './card-runner.service';
import { CardSettlement } from './card-settlement.service';
import { CardStatesController } from './card-states.controller';
import { CardStory } from './card-story.service';
import { CardTelling } from './card-telling.service';
import { CardTermination } from './card-termination.service';
import { CardTermsService } from './card-terms.service';
import { CardTransactionResources } from './card-transaction-resources.service';
import { CardTransaction } from './card-transaction.entity';
import { CardTransactionsService } from './card-transactions.service';
import { CardTransitions } from './card-transitions.service';
import { Card, CardTransition } from './card.entity';
import { CardsDue } from './cards-due.service';
import { CardsSweeper } from './cards-sweeper.service';
import { CardsController } from './cards.controller';
import { CardsService } from './cards.service';
import { ClearingsService } from './clearings.service';
import { CustomerAnonymizing } from './customer-anonymizing.service';
import { CustomerResources } from './customer-resources.service';
import { Customer } from './customer.entity';
import { CustomersController } from './customers.controller';
import { CustomersService } from './customers.service';
import { IssuerMessages } from './issuer-messages.service';
import { IssuersService } from './issuers.service';
import { SandboxNumbers } from './providers/sandbox/sandbox-numbers.service';
import { SandboxIssuer } from './providers/sandbox/sandbox.provider';
import { CardTransactionsController } from './transactions/card-transactions.controller';
import { DeclinesService } from './transactions/declines.service';

/** Virtual cards, their holders, and what happens on them. */
@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forFeature([Card, CardTransaction, CardTransition, Customer]),
    AccountsModule,
    LedgerModule,
    PricingModule,
    TransactionsModule,
    WalletsModule,
  ],
  controllers: [
    CardsController,
    CardMoneyController,
    CardStatesController,
    CardRevealsController,
    CardIssuingController,
    CustomersController,
    CardTransactionsController,
  ],
  providers: [
    AskingService,
    AuthorizationsService,
    CardAgreementService,
    CardChangesService,
    CardClosing,
    CardIssuingService,
    CardLeases,
    CardMoneyService,
    CardMovesService,
    CardOpeningService,
    CardOwnership,
    CardPostings,
    CardReset,
    CardResources,
    CardReveals,
    CardRunner,
    CardSettlement,
    CardStory,
    CardTelling,
    CardTermination,
    CardTermsService,
    CardTransactionResources,
    CardTransactionsService,
    CardTransitions,
    CardsDue,
    CardsService,
    CardsSweeper,
    ClearingsService,
    CustomerAnonymizing,
    CustomerResources,
    CustomersService,
    DeclinesService,
    IssuerMessages,
    IssuersService,
    SandboxIssuer,
    SandboxNumbers,
  ],
  exports: [
    AuthorizationsService,
    CardChangesService,
    CardReset,
    CardResources,
    CardTermination,
    CardTransactionResources,
    CardTransactionsService,
    CardsService,
    ClearingsService,
    CustomerAnonymizing,
    CustomersService,
    IssuerMessages,
  ],
})
export class CardsModule {}

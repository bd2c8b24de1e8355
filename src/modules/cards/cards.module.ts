import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PricingModule } from '../pricing/pricing.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AuthorizationsService } from './authorizations.service';
import { CardLifecycle } from './card-lifecycle';
import { CardRequeries } from './card-requeries';
import { CardReset } from './card-reset.service';
import { CardResources } from './card-resources.service';
import { CardTransaction } from './card-transaction.entity';
import { CardTransactionsService } from './card-transactions.service';
import { Card, CardTransition } from './card.entity';
import { CardsController } from './cards.controller';
import { CardsService } from './cards.service';
import { ClearingsService } from './clearings.service';
import { CustomerAnonymizing } from './customer-anonymizing.service';
import { Customer } from './customers/customer.entity';
import { CustomersController } from './customers/customers.controller';
import { CustomersService } from './customers/customers.service';
import { IssuerMessages } from './issuer-messages';
import { IssuerClient } from './issuers/issuer-client';
import { IssuersService } from './issuers/issuers.service';
import { CardIssuingController } from './issuing/card-issuing.controller';
import { CardIssuingService } from './issuing/card-issuing.service';
import { CardOpening } from './issuing/card-opening';
import { CardRun } from './issuing/card-run';
import { CardMoneyController } from './money/card-money.controller';
import { CardMoneyService } from './money/card-money.service';
import { CardPostings } from './money/card-postings';
import { CardTermsService } from './money/card-terms.service';
import { CardRevealsController } from './reveal/card-reveals.controller';
import { CardReveals } from './reveal/card-reveals.service';
import { SandboxNumbers } from './sandbox/sandbox-numbers';
import { SandboxIssuer } from './sandbox/sandbox.provider';
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
    CardRevealsController,
    CardIssuingController,
    CustomersController,
    CardTransactionsController,
  ],
  providers: [
    IssuerClient,
    AuthorizationsService,
    CardLifecycle,
    CardIssuingService,
    CardMoneyService,
    CardOpening,
    CardPostings,
    CardReset,
    CardResources,
    CardReveals,
    CardRun,
    CardTermsService,
    CardTransactionsService,
    CardsService,
    CardRequeries,
    ClearingsService,
    CustomerAnonymizing,
    CustomersService,
    DeclinesService,
    IssuerMessages,
    IssuersService,
    SandboxIssuer,
    SandboxNumbers,
  ],
  exports: [
    AuthorizationsService,
    CardLifecycle,
    CardReset,
    CardResources,
    CardTransactionsService,
    CardsService,
    ClearingsService,
    CustomerAnonymizing,
    CustomersService,
    IssuerMessages,
  ],
})
export class CardsModule {}

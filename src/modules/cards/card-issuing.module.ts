import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CardAgreementService } from './card-agreement.service';
import { CardBooksModule } from './card-books.module';
import { CardIssuingController } from './card-issuing.controller';
import { CardIssuingService } from './card-issuing.service';
import { CardOpeningService } from './card-opening.service';
import { CardResources } from './card-resources.service';
import { CardStatesModule } from './card-states.module';
import { CardStory } from './card-story.service';
import { CustomersModule } from './customers.module';

/** From an order to a card. */
@Module({
  imports: [AccountsModule, LedgerModule, TransactionsModule, CardBooksModule, CardStatesModule, CustomersModule],
  controllers: [CardIssuingController],
  providers: [CardAgreementService, CardIssuingService, CardOpeningService, CardResources, CardStory],
  exports: [CardResources],
})
export class CardIssuingModule {}

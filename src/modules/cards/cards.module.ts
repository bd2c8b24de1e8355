import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { AuthorizationsModule } from './authorizations.module';
import { CardBooksModule } from './card-books.module';
import { CardIssuingModule } from './card-issuing.module';
import { CardMoneyController } from './card-money.controller';
import { CardMoneyService } from './card-money.service';
import { CardOwnership } from './card-ownership.service';
import { CardRevealsController } from './card-reveals.controller';
import { CardReveals } from './card-reveals.service';
import { CardStatesController } from './card-states.controller';
import { CardStatesModule } from './card-states.module';
import { CardsController } from './cards.controller';
import { CustomersModule } from './customers.module';
import { IssuersModule } from './issuers.module';

/** Virtual cards: what their owners do with them. */
@Module({
  imports: [
    AccountsModule,
    TransactionsModule,
    AuthorizationsModule,
    CardBooksModule,
    CardIssuingModule,
    CardStatesModule,
    CustomersModule,
    IssuersModule,
  ],
  controllers: [CardsController, CardMoneyController, CardStatesController, CardRevealsController],
  providers: [CardMoneyService, CardOwnership, CardReveals],
  exports: [CardBooksModule, CardIssuingModule, CardStatesModule, CustomersModule],
})
export class CardsModule {}

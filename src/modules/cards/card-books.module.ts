import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerModule } from '../ledger/ledger.module';
import { TermsModule } from '../terms/terms.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { Card } from './card.entity';
import { CardMovesService } from './card-moves.service';
import { CardPostings } from './card-postings.service';
import { CardReset } from './card-reset.service';
import { CardTermsService } from './card-terms.service';
import { CardTransition } from './card-transition.entity';
import { CardTransitions } from './card-transitions.service';
import { CardsService } from './cards.service';
import { IssuersModule } from './issuers.module';

/** Cards as they are stored, and their money. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Card, CardTransition]),
    LedgerModule,
    TransactionsModule,
    TermsModule,
    WalletsModule,
    IssuersModule,
  ],
  providers: [CardMovesService, CardPostings, CardReset, CardTermsService, CardTransitions, CardsService],
  exports: [CardMovesService, CardPostings, CardReset, CardTermsService, CardTransitions, CardsService],
})
export class CardBooksModule {}

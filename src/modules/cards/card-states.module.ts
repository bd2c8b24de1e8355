import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { CardBooksModule } from './card-books.module';
import { CardChangesService } from './card-changes.service';
import { CardClosing } from './card-closing.service';
import { CardLeases } from './card-leases.service';
import { CardRunner } from './card-runner.service';
import { CardSettlement } from './card-settlement.service';
import { CardTelling } from './card-telling.service';
import { CardTermination } from './card-termination.service';
import { CardsDue } from './cards-due.service';
import { CardsSweeper } from './cards-sweeper.service';
import { CustomersModule } from './customers.module';
import { IssuersModule } from './issuers.module';

/** How cards go from one state to the next, by whomever. */
@Module({
  imports: [LedgerModule, TransactionsModule, CardBooksModule, CustomersModule, IssuersModule],
  providers: [
    CardChangesService,
    CardClosing,
    CardLeases,
    CardRunner,
    CardSettlement,
    CardTelling,
    CardTermination,
    CardsDue,
    CardsSweeper,
  ],
  exports: [CardChangesService, CardRunner, CardTermination, CardsSweeper],
})
export class CardStatesModule {}

import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { AuthorizationDecisions } from './authorization-decisions.service';
import { AuthorizationExpiry } from './authorization-expiry.service';
import { AuthorizationLimits } from './authorization-limits.service';
import { AuthorizationMessages } from './authorization-messages.service';
import { AuthorizationTurns } from './authorization-turns.service';
import { AuthorizationsService } from './authorizations.service';
import { CardTransactionFees } from './card-transaction-fees.service';
import { CardTransactionsModule } from './card-transactions.module';
import { ClearingPostings } from './clearing-postings.service';
import { ClearingsService } from './clearings.service';
import { DeclinesModule } from './declines.module';

/** What happens on a card: authorizations and what becomes of them. */
@Module({
  imports: [LedgerModule, TransactionsModule, CardTransactionsModule, DeclinesModule],
  providers: [
    AuthorizationsService,
    AuthorizationDecisions,
    AuthorizationExpiry,
    AuthorizationLimits,
    AuthorizationMessages,
    AuthorizationTurns,
    CardTransactionFees,
    ClearingPostings,
    ClearingsService,
  ],
  exports: [AuthorizationsService, AuthorizationMessages, CardTransactionsModule],
})
export class AuthorizationsModule {}

import { Module } from '@nestjs/common';
import { CardStatesModule } from './card-states.module';
import { CardTransactionsModule } from './card-transactions.module';
import { DeclineTermination } from './decline-termination.service';
import { DeclinesService } from './declines.service';

/** Refused authorizations, and the policy that ends a card after too many. */
@Module({
  imports: [CardStatesModule, CardTransactionsModule],
  providers: [DeclinesService, DeclineTermination],
  exports: [DeclinesService],
})
export class DeclinesModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Card } from './card.entity';
import { CardTransaction } from './card-transaction.entity';
import { CardTransactionResources } from './card-transaction-resources.service';
import { CardTransactionsController } from './card-transactions.controller';
import { CardTransactionsService } from './card-transactions.service';

/** Card transactions as they are read. */
@Module({
  imports: [TypeOrmModule.forFeature([Card, CardTransaction])],
  controllers: [CardTransactionsController],
  providers: [CardTransactionsService, CardTransactionResources],
  exports: [CardTransactionsService, CardTransactionResources],
})
export class CardTransactionsModule {}

import { Module } from '@nestjs/common';
import { CardsModule } from '../../modules/cards/cards.module';
import { TransactionsModule } from '../../modules/transactions/transactions.module';
import { Bridgecard } from './bridgecard';
import { BridgecardCallbacksController } from './bridgecard-callbacks.controller';
import { BridgecardIssuer } from './bridgecard-issuer';
import { BridgecardLoads } from './bridgecard-loads';
import { BridgecardPagesController } from './bridgecard-pages.controller';

/** Cards of Bridgecard. */
@Module({
  imports: [CardsModule, TransactionsModule],
  controllers: [BridgecardCallbacksController, BridgecardPagesController],
  providers: [Bridgecard, BridgecardIssuer, BridgecardLoads],
})
export class BridgecardModule {}

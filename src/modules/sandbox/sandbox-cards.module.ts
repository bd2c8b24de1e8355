import { Module } from '@nestjs/common';
import { CardsModule } from '../cards/cards.module';
import { SandboxCardsController } from './sandbox-cards.controller';
import { SandboxCardsService } from './sandbox-cards.service';

/** The card network of test mode. */
@Module({
  imports: [CardsModule],
  controllers: [SandboxCardsController],
  providers: [SandboxCardsService],
  exports: [CardsModule],
})
export class SandboxCardsModule {}

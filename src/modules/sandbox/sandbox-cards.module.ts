import { Module } from '@nestjs/common';
import { AuthorizationsModule } from '../cards/authorizations.module';
import { CardBooksModule } from '../cards/card-books.module';
import { SandboxCardsController } from './sandbox-cards.controller';
import { SandboxCardsService } from './sandbox-cards.service';

/** The card network of test mode. */
@Module({
  imports: [AuthorizationsModule, CardBooksModule],
  controllers: [SandboxCardsController],
  providers: [SandboxCardsService],
  exports: [CardBooksModule],
})
export class SandboxCardsModule {}

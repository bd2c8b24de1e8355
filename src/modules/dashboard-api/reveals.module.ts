import { Module } from '@nestjs/common';
import { TransactionsModule } from '../transactions/transactions.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { IdentityModule } from './identity.module';
import { RevealsController } from './reveals.controller';
import { RevealsService } from './reveals.service';

/** What is masked, shown to those who may see it. */
@Module({
  imports: [TransactionsModule, WebhooksModule, IdentityModule],
  controllers: [RevealsController],
  providers: [RevealsService],
})
export class RevealsModule {}

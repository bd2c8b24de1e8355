import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { DaysService } from './days.service';
import { StatementsController } from './statements.controller';
import { StatementsService } from './statements.service';

/** What an accountant files: statements of wallets, and their days once they are closed. */
@Module({
  imports: [AccountsModule, WalletsModule],
  controllers: [StatementsController],
  providers: [StatementsService, DaysService],
})
export class StatementsModule {}

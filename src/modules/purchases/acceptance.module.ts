import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { TermsModule } from '../terms/terms.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AcceptanceService } from './acceptance.service';
import { OffersService } from './offers.service';
import { OpeningService } from './opening.service';
import { PricingService } from './pricing.service';
import { ProvidersModule } from './providers.module';
import { ReplaysService } from './replays.service';
import { TermsService } from './terms.service';

/** From an order to a hold. */
@Module({
  imports: [AccountsModule, LedgerModule, WalletsModule, TransactionsModule, TermsModule, ProvidersModule],
  providers: [AcceptanceService, OffersService, OpeningService, PricingService, ReplaysService, TermsService],
  exports: [AcceptanceService, OffersService, ReplaysService],
})
export class AcceptanceModule {}

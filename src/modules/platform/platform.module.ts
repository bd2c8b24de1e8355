import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { BillsModule } from '../bills/bills.module';
import { CardsModule } from '../cards/cards.module';
import { DashboardApiModule } from '../dashboard-api/dashboard-api.module';
import { PaymentsModule } from '../payments/payments.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { PricingModule } from '../pricing/pricing.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AccountDeeds } from './account-deeds.service';
import { CardDeeds } from './card-deeds.service';
import { Deeds } from './deeds.service';
import { MoneyDeeds } from './money-deeds.service';
import { PlatformKey } from './platform-key.entity';
import { PlatformKeys } from './platform-keys.service';

const SERVICES = [Deeds, AccountDeeds, MoneyDeeds, CardDeeds, PlatformKeys];

/** What operators do, whether they say so at the command line or with a key. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PlatformKey]),
    AccountsModule,
    ApiKeysModule,
    CardsModule,
    BillsModule,
    DashboardApiModule,
    PaymentsModule,
    PurchasesModule,
    PricingModule,
    WalletsModule,
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class PlatformModule {}

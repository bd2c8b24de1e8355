import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { BillsModule } from '../bills/bills.module';
import { CardsModule } from '../cards/cards.module';
import { DashboardApiModule } from '../dashboard-api/dashboard-api.module';
import { PaymentsModule } from '../payments/payments.module';
import { PayoutsModule } from '../payouts/payouts.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { VirtualAccountsModule } from '../virtual-accounts/virtual-accounts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { GoingLive } from './going-live';
import { OperatorAccounts } from './operator-accounts.service';
import { OperatorCards } from './operator-cards.service';
import { OperatorMoney } from './operator-money.service';
import { OperatorOrders } from './operator-orders.service';
import { OperatorReviews } from './operator-reviews.service';
import { PlatformKey, PlatformKeys } from './platform-keys.service';

const SERVICES = [
  GoingLive,
  OperatorOrders,
  OperatorAccounts,
  OperatorMoney,
  OperatorReviews,
  OperatorCards,
  PlatformKeys,
];

/** What operators do, whether they say so at the command line or with a key. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PlatformKey]),
    AccountsModule,
    CardsModule,
    BillsModule,
    DashboardApiModule,
    PaymentsModule,
    PayoutsModule,
    PurchasesModule,
    VirtualAccountsModule,
    WalletsModule,
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class PlatformModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlatformDoor } from '../../core/http/doors';
import { AccountsModule } from '../accounts/accounts.module';
import { BillsModule } from '../bills/bills.module';
import { CardsModule } from '../cards/cards.module';
import { DashboardApiModule } from '../dashboard-api/dashboard-api.module';
import { PaymentsModule } from '../payments/payments.module';
import { PricingModule } from '../pricing/pricing.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { WalletsModule } from '../wallets/wallets.module';
import { OperatorAccounts } from './operator-accounts.service';
import { OperatorCards } from './operator-cards.service';
import { OperatorMoney } from './operator-money.service';
import { OperatorOrders } from './operator-orders.service';
import { PlatformKey } from './platform-key.entity';
import { PlatformKeys } from './platform-keys.service';
import { PlatformController } from './platform.controller';

const SERVICES = [OperatorOrders, OperatorAccounts, OperatorMoney, OperatorCards, PlatformKeys];

/** What operators do, whether they say so at the command line or with a key. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PlatformKey]),
    AccountsModule,
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

/** The operators' API: only in the process that `platform.ts` starts. */
@Module({ imports: [AccountsModule, DashboardApiModule, PlatformModule], controllers: [PlatformController] })
export class PlatformApiModule {
  constructor(door: PlatformDoor, keys: PlatformKeys) {
    door.keptBy((secret) => keys.use(secret));
  }
}

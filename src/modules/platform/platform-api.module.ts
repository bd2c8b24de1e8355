import { Module } from '@nestjs/common';
import { PlatformDoor } from '../../core/http/platform-door';
import { AccountsModule } from '../accounts/accounts.module';
import { DashboardApiModule } from '../dashboard-api/dashboard-api.module';
import { PlatformAccountsController } from './platform-accounts.controller';
import { PlatformKeys } from './platform-keys.service';
import { PlatformMoneyController } from './platform-money.controller';
import { PlatformModule } from './platform.module';

/** The operators' API: only in the process that `platform.ts` starts. */
@Module({
  imports: [AccountsModule, DashboardApiModule, PlatformModule],
  controllers: [PlatformAccountsController, PlatformMoneyController],
})
export class PlatformApiModule {
  constructor(door: PlatformDoor, keys: PlatformKeys) {
    door.keptBy((secret) => keys.use(secret));
  }
}

import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitGuard } from '../../core/http/rate-limiter';
import { Account } from './account.entity';
import { AccountsService } from './accounts.service';
import { Announcements } from './announcements.service';
import { ApiKey } from './api-key.entity';
import { ApiKeyGuard } from './api-key.guard';
import { ApiKeysService } from './api-keys.service';
import { FeesService } from './fees.service';

/** Accounts, the keys that stand for them, and the fees that their tiers pay. */
@Module({
  imports: [TypeOrmModule.forFeature([Account, ApiKey])],
  // The guards in this order: only a caller who is known can be counted.
  providers: [
    AccountsService,
    Announcements,
    ApiKeysService,
    FeesService,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [AccountsService, Announcements, ApiKeysService, FeesService],
})
export class AccountsModule {}

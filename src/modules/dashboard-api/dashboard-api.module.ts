import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { AuditController } from './audit.controller';
import { AuthController } from './auth.controller';
import { DeedsGuard } from './deeds.guard';
import { EntryModule } from './entry.module';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { LookingModule } from './looking.module';
import { MeController } from './me.controller';
import { TeamController } from './team.controller';
import { TeamService } from './team.service';
import { TotpController } from './totp.controller';
import { RevealsModule } from './reveals.module';

/** What lies behind the pages of the dashboard. */
@Module({
  imports: [ApiKeysModule, EntryModule, LookingModule, RevealsModule],
  controllers: [AuthController, MeController, TotpController, KeysController, TeamController, AuditController],
  providers: [DeedsGuard, KeysService, TeamService],
})
export class DashboardApiModule {}

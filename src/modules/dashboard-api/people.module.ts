import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { CookiesGuard } from './cookies.guard';
import { PeopleService } from './people.service';
import { Session } from './session.entity';
import { SessionsGuard } from './sessions.guard';
import { SessionsService } from './sessions.service';
import { TeamMember } from './team-member.entity';
import { User } from './user.entity';

/** People, their accounts and their sessions. */
@Module({
  imports: [TypeOrmModule.forFeature([User, TeamMember, Session]), AccountsModule, WalletsModule],
  providers: [CookiesGuard, PeopleService, SessionsService, SessionsGuard],
  exports: [CookiesGuard, PeopleService, SessionsService, TypeOrmModule],
})
export class PeopleModule {}

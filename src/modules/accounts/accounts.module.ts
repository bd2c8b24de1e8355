import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Account } from './account.entity';
import { AccountsService } from './accounts.service';
import { AnnouncementsService } from './announcements.service';
import { KeylessRequests } from './keyless.service';

@Module({
  imports: [TypeOrmModule.forFeature([Account])],
  providers: [AccountsService, AnnouncementsService, KeylessRequests],
  exports: [AccountsService, AnnouncementsService, KeylessRequests],
})
export class AccountsModule {}

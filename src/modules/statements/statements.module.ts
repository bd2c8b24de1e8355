import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { WalletsModule } from '../wallets/wallets.module';
import { DaysService } from './days.service';
import { Report } from './report.entity';
import { ReportFiles } from './report-files';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';
import { StatementsController } from './statements.controller';
import { StatementsService } from './statements.service';

/** What an accountant files: statements of wallets, their days once they are closed, and reports over all of them. */
@Module({
  imports: [TypeOrmModule.forFeature([Report]), AccountsModule, WalletsModule],
  controllers: [StatementsController, ReportsController],
  providers: [StatementsService, DaysService, ReportsService, ReportFiles],
})
export class StatementsModule {}

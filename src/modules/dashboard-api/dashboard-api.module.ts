import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PaymentsModule } from '../payments/payments.module';
import { PricingModule } from '../pricing/pricing.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AuditController } from './audit/audit.controller';
import { AuditTrail } from './audit/audit-trail';
import { AuditService } from './audit.service';
import { KeysController } from './keys/keys.controller';
import { KeysService } from './keys/keys.service';
import { RevealsController } from './keys/reveals.controller';
import { RevealsService } from './keys/reveals.service';
import { OpenReviews } from './open-reviews.service';
import { OperatorsController } from './operators/operators.controller';
import { OperatorsService } from './operators/operators.service';
import { ReviewsController } from './operators/reviews.controller';
import { OverviewController } from './overview/overview.controller';
import { OverviewService } from './overview/overview.service';
import { RequestLogController } from './overview/request-log.controller';
import { RequestLogService } from './overview/request-log.service';
import { DashboardTransactionsController } from './overview/transactions.controller';
import { DashboardTransactions } from './overview/transactions.service';
import { AttemptsService } from './people/attempts.service';
import { AuthController } from './people/auth.controller';
import { AuthService } from './people/auth.service';
import { IdentityService } from './people/identity.service';
import { MeController } from './people/me.controller';
import { PasswordsService } from './people/passwords.service';
import { Session } from './people/session.entity';
import { SessionCookies, SessionsGuard } from './people/sessions.guard';
import { SessionsService } from './people/sessions.service';
import { TeamMember } from './people/team-member.entity';
import { TeamController } from './people/team.controller';
import { TotpService } from './people/totp.service';
import { User } from './people/user.entity';
import { PeopleService } from './people.service';
import { SecurityService } from './security.service';
import { TeamService } from './team.service';

const PEOPLE = [
  AttemptsService,
  AuthService,
  IdentityService,
  PasswordsService,
  PeopleService,
  SecurityService,
  SessionCookies,
  SessionsGuard,
  SessionsService,
  TeamService,
  TotpService,
];

/** What lies behind the pages of the dashboard: who people are, and what they see and do beside the public API. */
@Module({
  imports: [
    TypeOrmModule.forFeature([User, TeamMember, Session]),
    AccountsModule,
    ApiKeysModule,
    LedgerModule,
    PaymentsModule,
    PricingModule,
    PurchasesModule,
    TransactionsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [
    AuthController,
    MeController,
    TeamController,
    KeysController,
    RevealsController,
    OverviewController,
    RequestLogController,
    DashboardTransactionsController,
    OperatorsController,
    ReviewsController,
    AuditController,
  ],
  providers: [
    ...PEOPLE,
    KeysService,
    RevealsService,
    OverviewService,
    RequestLogService,
    DashboardTransactions,
    OperatorsService,
    OpenReviews,
    AuditService,
    AuditTrail,
  ],
  exports: [OpenReviews, PeopleService, SecurityService, TeamService],
})
export class DashboardApiModule {}

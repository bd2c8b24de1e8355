import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { BillsModule } from '../bills/bills.module';
import { CardsModule } from '../cards/cards.module';
import { ConversionsModule } from '../conversions/conversions.module';
import { DataModule } from '../data/data.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PaymentsModule } from '../payments/payments.module';
import { VirtualAccountsModule } from '../virtual-accounts/virtual-accounts.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { RequestLogsModule } from '../request-logs/request-logs.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AuditService } from './audit.service';
import { PayoutsModule } from '../payouts/payouts.module';
import { BrandingChanges } from './branding/branding-changes.service';
import { BrandingController } from './branding/branding.controller';
import { DashboardCardsController } from './cards/cards.controller';
import { IncidentsController } from './incidents/incidents.controller';
import { IncidentsService } from './incidents/incidents.service';
import { StatusController } from './incidents/status.controller';
import { DeviceController, DeviceDecisionsController } from './keys/device.controller';
import { DeviceLogins } from './keys/device-logins.service';
import { KeysController } from './keys/keys.controller';
import { KeysService } from './keys/keys.service';
import { EndpointMails } from './live/endpoint-mails.service';
import { NoticesController } from './live/notices.controller';
import { NoticesService } from './live/notices.service';
import { StreamController } from './live/stream.controller';
import { LiveStreams } from './live/streams.service';
import { OperatorsService } from './operators.service';
import { LiveController } from './operators/live.controller';
import { PlatformAccountsController } from './operators/accounts/platform-accounts.controller';
import { PlatformAccounts } from './operators/accounts/platform-accounts.service';
import { BooksController } from './operators/books/books.controller';
import { BooksService } from './operators/books/books.service';
import { OperatorCatalogueController } from './operators/catalogue/operator-catalogue.controller';
import { OperatorCatalogue } from './operators/catalogue/operator-catalogue.service';
import { OperatorsController } from './operators/operators.controller';
import { ProviderHistoryController } from './operators/providers/provider-history.controller';
import { ProviderHistory } from './operators/providers/provider-history.service';
import { OpenReviewsController } from './operators/reviews/open-reviews.controller';
import { OpenReviews } from './operators/reviews/open-reviews.service';
import { ReviewEvidence } from './operators/reviews/review-evidence.service';
import { ReviewsController } from './operators/reviews/reviews.controller';
import {
  AuditController,
  DashboardTransactionsController,
  DashboardWalletsController,
  OverviewController,
  RequestLogController,
} from './overview/overview.controller';
import { ApprovalsController } from './overview/approvals.controller';
import { ApprovalsService } from './overview/approvals.service';
import { OverviewService } from './overview/overview.service';
import { RevealsController, RevealsService } from './overview/reveals.controller';
import { DashboardTransactions } from './overview/transactions.service';
import { WalletsOverviewService } from './overview/wallets-overview.service';
import { AccountsController } from './people/accounts.controller';
import { AttemptsService } from './people/attempts.service';
import { AuthService } from './people/auth.service';
import { CellPeopleController } from './people/cell-people.controller';
import { IdentityService } from './people/identity.service';
import { MailboxController } from './people/mailbox.controller';
import { MembershipsService } from './people/memberships.service';
import { OtherCells } from './people/other-cells.service';
import { PasskeyChallenges } from './people/passkey-challenges.service';
import { PasskeysController } from './people/passkeys.controller';
import { PasskeysService } from './people/passkeys.service';
import { PasswordResets } from './people/password-resets.service';
import { PasswordsService } from './people/passwords.service';
import { AuthController, MeController, TeamController } from './people/people.controller';
import { Session, TeamMember, User } from './people/people.entity';
import { SessionCookies, SessionsGuard } from './people/sessions.guard';
import { SessionsService } from './people/sessions.service';
import { TotpService } from './people/totp.service';
import { PeopleService } from './people.service';
import { ProvidersService } from './providers.service';
import { SearchController } from './search/search.controller';
import { SearchService } from './search/search.service';
import { DashboardWebhooksController } from './webhooks/webhooks.controller';
import { SecurityService } from './security.service';
import { StoriesController } from './stories/stories.controller';
import { StoriesService } from './stories/stories.service';
import { StoryBooks } from './stories/story-books';
import { StoryLinks } from './stories/story-links';
import { TeamService } from './team.service';
import { ViewsController } from './views/views.controller';
import { ViewsService } from './views/views.service';

const PEOPLE = [
  AttemptsService,
  AuthService,
  IdentityService,
  MembershipsService,
  OtherCells,
  PasskeyChallenges,
  PasskeysService,
  PasswordResets,
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
    BillsModule,
    CardsModule,
    ConversionsModule,
    DataModule,
    LedgerModule,
    PaymentsModule,
    VirtualAccountsModule,
    PayoutsModule,
    PurchasesModule,
    RequestLogsModule,
    TransactionsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [
    AuthController,
    CellPeopleController,
    MailboxController,
    MeController,
    AccountsController,
    PasskeysController,
    TeamController,
    BrandingController,
    KeysController,
    DeviceController,
    DeviceDecisionsController,
    RevealsController,
    ApprovalsController,
    OverviewController,
    RequestLogController,
    DashboardTransactionsController,
    DashboardWalletsController,
    DashboardWebhooksController,
    StoriesController,
    LiveController,
    OperatorsController,
    ReviewsController,
    DashboardCardsController,
    OpenReviewsController,
    PlatformAccountsController,
    BooksController,
    OperatorCatalogueController,
    ProviderHistoryController,
    IncidentsController,
    StatusController,
    AuditController,
    SearchController,
    ViewsController,
    NoticesController,
    StreamController,
  ],
  providers: [
    ...PEOPLE,
    BrandingChanges,
    KeysService,
    DeviceLogins,
    RevealsService,
    ApprovalsService,
    OverviewService,
    WalletsOverviewService,
    DashboardTransactions,
    StoriesService,
    StoryBooks,
    StoryLinks,
    OperatorsService,
    OpenReviews,
    PlatformAccounts,
    BooksService,
    OperatorCatalogue,
    ProviderHistory,
    ReviewEvidence,
    IncidentsService,
    ProvidersService,
    AuditService,
    SearchService,
    ViewsService,
    EndpointMails,
    LiveStreams,
    NoticesService,
  ],
  exports: [AuditService, OperatorsService, PeopleService, ProvidersService, SecurityService, TeamService],
})
export class DashboardApiModule {}

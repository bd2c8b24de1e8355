import { Controller, Get, Param, Query } from '@nestjs/common';
import { Env } from '../../../core/config/env';
import { Pages } from '../../../core/http/pages';
import { PageQuery } from '../../../core/http/query-fields';
import { WalletsService } from '../../wallets/wallets.service';
import { AuditService } from '../audit.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { scopesOf } from '../roles';
import {
  AuditEntryDto,
  AuditEntryListDto,
  FoundListDto,
  TransactionEntriesDto,
  ModeQuery,
  OverviewDayDto,
  OverviewDto,
  OverviewWalletDto,
  SearchQuery,
} from './overview.dto';
import { type Day, OverviewService } from './overview.service';
import {
  ErrorGroupDto,
  ErrorGroupsDto,
  LoggedRequestDto,
  LoggedRequestListDto,
  RequestDetailDto,
  RequestLogQuery,
} from './request-log.dto';
import { RequestLogService } from './request-log.service';
import { DashboardTransactions } from './transactions.service';

/** Of what ended; null when nothing did. */
function successRate(days: readonly Day[]): number | null {
  const successful = days.reduce((sum, day) => sum + day.successful, 0);
  const ended = days.reduce((sum, day) => sum + day.unsuccessful, successful);
  return ended === 0 ? null : successful / ended;
}

const WALLETS_MAX = 100;

@Needs('overview')
@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly overview: OverviewService,
  ) {}

  @Get()
  async get(@Me() me: SignedIn, @Query() { livemode }: ModeQuery): Promise<OverviewDto> {
    const viewer = { accountId: me.accountId, livemode };
    const [wallets, days, steps] = await Promise.all([
      this.wallets.list(viewer, {}, null, WALLETS_MAX),
      this.overview.days(viewer),
      this.overview.steps(viewer),
    ]);
    return {
      wallets: wallets.map(OverviewWalletDto.of),
      days: days.map(OverviewDayDto.of),
      success_rate: successRate(days),
      checklist: { ...steps, totp_enabled: me.totpEnabled, live_enabled: me.liveEnabled },
    };
  }
}

/** What the public API does not show of transactions. */
@Controller('dashboard/api/transactions')
export class DashboardTransactionsController {
  constructor(private readonly transactions: DashboardTransactions) {}

  @Get('search')
  @Needs('search')
  async find(@Me() { accountId, role }: SignedIn, @Query() { livemode, q }: SearchQuery): Promise<FoundListDto> {
    return {
      data: await this.transactions.search({ accountId, livemode, scopes: scopesOf(role, livemode) }, q.trim()),
    };
  }

  @Get(':id/ledger')
  @Needs('ledger')
  async ledger(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<TransactionEntriesDto> {
    return { data: await this.transactions.ledgerLines({ accountId, livemode }, id) };
  }
}

/** What the account's programs asked of the public API. */
@Needs('requests')
@Controller('dashboard/api/request-log')
export class RequestLogController {
  constructor(
    private readonly requests: RequestLogService,
    private readonly pages: Pages,
    private readonly env: Env,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: RequestLogQuery): Promise<LoggedRequestListDto> {
    const viewer = { accountId, livemode: query.livemode };
    const page = this.pages.open(viewer, 'request_log', query);
    const rows = await this.requests.list(viewer, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, LoggedRequestDto.of, ({ id }) => [id]);
  }

  @Get('errors')
  async errors(@Me() { accountId }: SignedIn, @Query() { livemode }: ModeQuery): Promise<ErrorGroupsDto> {
    return { data: (await this.requests.errors({ accountId, livemode })).map(ErrorGroupDto.of) };
  }

  @Get(':id')
  async get(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<RequestDetailDto> {
    return RequestDetailDto.from(
      await this.requests.require({ accountId, livemode }, id),
      this.env.REQUEST_LOG_ANSWER_DAYS,
    );
  }
}

@Needs('audit:read')
@Controller('dashboard/api/audit-log')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: PageQuery): Promise<AuditEntryListDto> {
    const page = this.pages.open({ accountId, livemode: true }, 'audit_log', query);
    const rows = await this.audit.list(accountId, page.after?.[0] ?? null, page.take);
    return page.of(rows, AuditEntryDto.of, ({ id }) => [id]);
  }
}

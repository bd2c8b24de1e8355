import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Env } from '../../../core/config/env';
import { csvFile } from '../../../core/http/csv';
import { Pages } from '../../../core/http/pages';
import { xlsxFile } from '../../../core/http/xlsx';
import { encodeId, timeOf } from '../../../core/http/ids';
import { localTime } from '../../../core/text/local-time';
import { AccountsService } from '../../accounts/accounts.service';
import { type AuditRecord, AuditService } from '../audit.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import {
  AuditEntryDto,
  AuditEntryListDto,
  AuditQuery,
  CurrencyTotalDto,
  FoundWalletsDto,
  ModeQuery,
  OverviewDayDto,
  OverviewDto,
  OverviewQuery,
  OverviewSaleDto,
  OverviewWalletDto,
  PERIODS,
  sumsOf,
  TransactionTotalsDto,
  ViewedTransactionsQuery,
  WalletSearchQuery,
} from './overview.dto';
import { OverviewService, successRate } from './overview.service';
import {
  ErrorGroupDto,
  ErrorGroupsDto,
  LoggedRequestDto,
  LoggedRequestListDto,
  type RequestDetailDto,
  RequestExchangeDto,
  RequestFiguresDto,
  RequestLogQuery,
} from '../../request-logs/request-log.dto';
import { RequestLogService } from '../../request-logs/request-log.service';
import { beginsOf, RequestFiguresQuery } from './spans.dto';
import { DashboardTransactions, VIEW_CELLS, VIEW_COLUMNS } from './transactions.service';
import { byMoney, WalletsOverviewService } from './wallets-overview.service';

/** As many as one sees at a glance: the rest is found on the page of the wallets. */
const WALLETS_MAX = 12;
const FAILURES_MAX = 6;

@Needs('overview')
@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly wallets: WalletsOverviewService,
    private readonly overview: OverviewService,
  ) {}

  @Get()
  async get(@Me() me: SignedIn, @Query() { livemode, period: length, utc }: OverviewQuery): Promise<OverviewDto> {
    const viewer = { accountId: me.accountId, livemode };
    const [totals, fullest, lasting, period, underWay, webhooks, steps] = await Promise.all([
      this.wallets.totals(viewer),
      this.wallets.fullest(viewer, WALLETS_MAX),
      this.overview.lasting(viewer),
      this.overview.period(viewer, PERIODS[length], utc ? 'UTC' : null),
      this.overview.underWay(viewer),
      this.overview.webhooks(viewer),
      this.overview.steps(viewer),
    ]);
    const { days, sales, failures, before } = period;
    const ranked = byMoney(totals, days);
    const order = ranked.map(({ currency }) => currency);
    return {
      from: period.from,
      to: period.to,
      totals: ranked.map(CurrencyTotalDto.of),
      wallets: fullest.map((wallet) => ({ ...OverviewWalletDto.of(wallet), lasts_days: lasting(wallet) })),
      wallets_total: totals.reduce((sum, { wallets }) => sum + wallets, 0),
      days: days.map(OverviewDayDto.of),
      sums: sumsOf(days, before.days, order),
      sales: sales.map(OverviewSaleDto.of),
      success_rate: successRate(sales),
      success_rate_before: successRate(before.sales),
      failures: failures.slice(0, FAILURES_MAX),
      under_way: underWay,
      webhooks,
      checklist: { ...steps, totp_enabled: me.totpEnabled, live_enabled: me.liveEnabled },
    };
  }
}

/** Wallets, as lists and forms look for them. */
@Needs('search')
@Controller('dashboard/api/wallets')
export class DashboardWalletsController {
  constructor(
    private readonly wallets: WalletsOverviewService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: WalletSearchQuery): Promise<FoundWalletsDto> {
    const viewer = { accountId, livemode: query.livemode };
    const page = this.pages.open(viewer, 'dashboard_wallets', query);
    const [rows, total] = await Promise.all([
      this.wallets.list(viewer, query, page.after?.[0] ?? null, page.take),
      this.wallets.count(viewer, query),
    ]);
    const { data, next_cursor } = page.of(rows, OverviewWalletDto.of, ({ id }) => [id]);
    return { data, total, next_cursor };
  }
}

/** What the public API does not show of transactions. */
@Controller('dashboard/api/transactions')
export class DashboardTransactionsController {
  constructor(private readonly transactions: DashboardTransactions) {}

  /** Of what the filters let through. */
  @Get('totals')
  @Needs('overview')
  async totals(@Me() { accountId }: SignedIn, @Query() query: ViewedTransactionsQuery): Promise<TransactionTotalsDto> {
    return this.transactions.totals({ accountId, livemode: query.livemode }, query);
  }

  /** The same rows as a file for a spreadsheet. */
  @Get('export')
  @Needs('overview')
  @ApiOkResponse({ description: 'Every match as text/csv, amounts with decimals.' })
  async export(@Me() { accountId }: SignedIn, @Query() query: ViewedTransactionsQuery): Promise<StreamableFile> {
    const rows = await this.transactions.rows({ accountId, livemode: query.livemode }, query, 'text');
    return csvFile('transactions.csv', VIEW_COLUMNS, rows, { bom: true });
  }

  /** The same rows as a workbook. */
  @Get('export/xlsx')
  @Needs('overview')
  @ApiOkResponse({ description: 'Every match as a workbook (Office Open XML): amounts are numbers, times are dates.' })
  async workbook(@Me() { accountId }: SignedIn, @Query() query: ViewedTransactionsQuery): Promise<StreamableFile> {
    const rows = await this.transactions.rows({ accountId, livemode: query.livemode }, query, 'cells');
    return xlsxFile('transactions.xlsx', 'Transactions', VIEW_CELLS, rows);
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

  @Get('figures')
  figures(@Me() { accountId }: SignedIn, @Query() query: RequestFiguresQuery): Promise<RequestFiguresDto> {
    return this.requests.figures({ accountId, livemode: query.livemode }, beginsOf(query), query.key_id);
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
    const { made, ...request } = await this.requests.require({ accountId, livemode }, id);
    return { ...RequestExchangeDto.with(request, this.env.REQUEST_LOG_ANSWER_DAYS), made };
  }
}

const AUDIT_COLUMNS = ['at', 'who', 'what', 'on', 'ip', 'detail', 'user_id', 'id'] as const;

@Needs('audit:read')
@Controller('dashboard/api/audit-log')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly accounts: AccountsService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: AuditQuery): Promise<AuditEntryListDto> {
    const page = this.pages.open({ accountId, livemode: true }, 'audit_log', query);
    const part = { before: page.after?.[0] ?? null, take: page.take };
    const rows = await this.audit.list(accountId, AuditQuery.filterOf(query), part);
    return page.of(rows, AuditEntryDto.of, ({ id }) => [id]);
  }

  /** All that the filter lets through, as a file for a spreadsheet; times by the clocks of the account's zone. */
  @Get('export')
  @ApiOkResponse({ description: 'Every match as text/csv.' })
  async export(@Me() { accountId }: SignedIn, @Query() query: AuditQuery): Promise<StreamableFile> {
    const { timeZone } = await this.accounts.require(accountId);
    const rows = auditRows(this.audit.all(accountId, AuditQuery.filterOf(query)), timeZone);
    return csvFile('audit-log.csv', AUDIT_COLUMNS, rows, { bom: true });
  }
}

async function* auditRows(entries: AsyncIterable<AuditRecord>, timeZone: string): AsyncGenerator<object> {
  for await (const { id, userId, actor, action, target, ip, detail } of entries)
    yield {
      at: localTime(timeOf(id), timeZone),
      who: actor,
      what: action,
      on: target,
      ip,
      detail: JSON.stringify(detail),
      user_id: userId && encodeId('usr', userId),
      id: encodeId('aud', id),
    };
}

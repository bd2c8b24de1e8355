import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { PageQuery } from '../../../core/http/query-fields';
import type { Currency } from '../../../core/money/currencies';
import { AMOUNT_MAX, displayMoney, toJsonNumber } from '../../../core/money/money';
import { WalletsService } from '../../wallets/wallets.service';
import { type AuditRecord, AuditService } from '../audit.service';
import { ModeQuery } from '../mode.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { scopesOf } from '../roles';
import { type Day, OverviewService } from './overview.service';
import { type LoggedRequestDto, presentError, presentRequest, RequestLogQuery } from './request-log.dto';
import { RequestLogService } from './request-log.service';
import { DashboardTransactions, type Hit } from './transactions.service';

type Wallet = Awaited<ReturnType<WalletsService['list']>>[number];

const presentWallet = ({ id, currency, label, status, available, held }: Wallet) => ({
  id: encodeId('wal', id),
  currency,
  label,
  status,
  available: toJsonNumber(available),
  held: toJsonNumber(held),
  available_display: displayMoney({ amount: available, currency }),
  held_display: displayMoney({ amount: held, currency }),
});

const presentDay = ({ day, currency, count, successful, amount_in: amountIn, amount_out: amountOut }: Day) => ({
  day: day.toISOString().slice(0, 10),
  currency,
  count,
  successful,
  ...sumOf('amount_in', BigInt(amountIn), currency),
  ...sumOf('amount_out', BigInt(amountOut), currency),
});

/**
 * Many amounts that each are a JSON number may sum to more than one: then the number is null, and the text says it.
 */
const sumOf = (name: 'amount_in' | 'amount_out', amount: bigint, currency: string) => ({
  [name]: amount > AMOUNT_MAX ? null : toJsonNumber(amount),
  [`${name}_display`]: displayMoney({ amount, currency: currency as Currency }),
});

/** Of what ended; null when nothing did. */
function successRate(days: readonly Day[]): number | null {
  const successful = days.reduce((sum, day) => sum + day.successful, 0);
  const ended = days.reduce((sum, day) => sum + day.unsuccessful, successful);
  return ended === 0 ? null : successful / ended;
}

const WALLETS_MAX = 100;

@ApiExcludeController()
@Needs('overview')
@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly overview: OverviewService,
  ) {}

  @Get()
  async get(@Me() me: SignedIn, @Query() { livemode }: ModeQuery): Promise<object> {
    const viewer = { accountId: me.accountId, livemode };
    const [wallets, days, steps] = await Promise.all([
      this.wallets.list(viewer, {}, null, WALLETS_MAX),
      this.overview.days(viewer),
      this.overview.steps(viewer),
    ]);
    return {
      wallets: wallets.map(presentWallet),
      days: days.map(presentDay),
      success_rate: successRate(days),
      checklist: { ...steps, totp_enabled: me.totpEnabled, live_enabled: me.liveEnabled },
    };
  }
}

class SearchQuery extends ModeQuery {
  @Text(128)
  q: string;
}

/** What the public API does not show of transactions. */
@ApiExcludeController()
@Controller('dashboard/api/transactions')
export class DashboardTransactionsController {
  constructor(private readonly transactions: DashboardTransactions) {}

  @Get('search')
  @Needs('search')
  async find(@Me() { accountId, role }: SignedIn, @Query() { livemode, q }: SearchQuery): Promise<{ data: Hit[] }> {
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
  ): Promise<{ data: object[] }> {
    return { data: await this.transactions.ledgerLines({ accountId, livemode }, id) };
  }
}

/** What the account's programs asked of the public API. */
@ApiExcludeController()
@Needs('requests')
@Controller('dashboard/api/request-log')
export class RequestLogController {
  constructor(
    private readonly requests: RequestLogService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: RequestLogQuery): Promise<List<LoggedRequestDto>> {
    const viewer = { accountId, livemode: query.livemode };
    const page = this.pages.open(viewer, 'request_log', query);
    const rows = await this.requests.list(viewer, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, presentRequest, ({ id }) => [id]);
  }

  @Get('errors')
  async errors(@Me() { accountId }: SignedIn, @Query() { livemode }: ModeQuery): Promise<{ data: object[] }> {
    return { data: (await this.requests.errors({ accountId, livemode })).map(presentError) };
  }
}

@ApiExcludeController()
@Needs('audit:read')
@Controller('dashboard/api/audit-log')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: PageQuery): Promise<List<object>> {
    const page = this.pages.open({ accountId, livemode: true }, 'audit_log', query);
    const rows = await this.audit.list(accountId, page.after?.[0] ?? null, page.take);
    return page.of(rows, presentEntry, ({ id }) => [id]);
  }
}

const presentEntry = ({ id, userId, actor, action, target, ip, detail }: AuditRecord): object => ({
  id: encodeId('aud', id),
  user_id: userId && encodeId('usr', userId),
  actor,
  action,
  target,
  ip,
  detail,
  at: timeOf(id),
});

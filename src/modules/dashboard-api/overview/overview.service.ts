import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { HIGHEST_ID, lowestIdAt } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';
import type { Currency } from '../../../core/money/money';
import { PRODUCTS, SOLD_PRODUCTS, type TransactionType } from '../../../vocabulary/products';
import type { Direction } from '../../transactions/transaction.entity';
import { REQUESTED } from '../../webhooks/endpoints.service';

/**
 * Transactions by day, in groups. `$4` are the first ids of the days, oldest first: an id carries its time, so the day
 * is found without a column. Commissions are of what succeeded. What moves between the account's own wallets is neither
 * income nor expense, and would count twice. What was reversed has moved, and its reversal is a transaction of its own,
 * with fee and commission of a purchase in its amount. `$5` are the types of purchases: only they can fail at a
 * provider.
 */
const SELECT_GROUPS = `
  SELECT width_bucket(id, $4::uuid[]) - 1 AS day, currency, type, direction, type = ANY ($5) AS "isSale",
         CASE WHEN type = ANY ($5)
              THEN coalesce(details ->> 'network', details ->> 'biller_name', details #>> '{bank,name}') END AS network,
         CASE status WHEN 'cancelled' THEN 'failed' ELSE status END AS outcome,
         CASE WHEN status IN ('failed', 'reversed', 'cancelled') AND type = ANY ($5)
              THEN coalesce(failure ->> 'code', status) END AS code,
         count(*)::integer AS count, sum(commission)::text AS commission,
         sum(CASE WHEN status = 'reversed' AND direction = 'debit' THEN amount + fee - commission
                  ELSE amount END)::text AS amount
    FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= ($4::uuid[])[1] AND id < $3
     AND (counterparty_id IS NULL
       OR counterparty_id NOT IN (SELECT id FROM wallets WHERE account_id = $1 AND livemode = $2))
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2`;

/** Midnights of the last days by the clocks of a zone, or else of the account's, oldest first: account, days, zone. */
const SELECT_MIDNIGHTS = `
  SELECT d.date::text, d.date::timestamp AT TIME ZONE z.name AS at
    FROM (SELECT coalesce($3::text, time_zone) AS name FROM accounts WHERE id = $1) z,
         LATERAL (SELECT (now() AT TIME ZONE z.name)::date - back AS date FROM generate_series(0, $2 - 1) AS back) d
   ORDER BY d.date`;

/** What left each wallet: account, mode, first id. */
const SELECT_SPENT = `
  SELECT wallet_id AS "walletId", sum(amount + fee)::text AS spent FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND direction = 'debit' AND status = 'successful'
   GROUP BY wallet_id`;

/** How endpoints are, and how many deliveries did not arrive yet: account, mode, why people disable. */
const SELECT_WEBHOOKS = `
  SELECT count(*)::integer AS endpoints,
         count(*) FILTER (WHERE status = 'enabled' AND failing_since IS NOT NULL)::integer AS failing,
         count(*) FILTER (WHERE status = 'disabled' AND disabled_reason <> $3)::integer AS disabled,
         (SELECT count(*)::integer FROM webhook_deliveries
           WHERE account_id = $1 AND livemode = $2 AND status IN ('pending', 'retrying')) AS waiting
    FROM webhook_endpoints WHERE account_id = $1 AND livemode = $2 AND deleted_at IS NULL`;

/** What has not ended, and what waits for a person: account, mode. Of what is over, none is read. */
const SELECT_UNDER_WAY = `
  SELECT (SELECT count(*)::integer FROM transactions
           WHERE account_id = $1 AND livemode = $2 AND status = 'pending') AS pending,
         (SELECT count(*)::integer FROM transactions
           WHERE account_id = $1 AND livemode = $2 AND status = 'processing') AS processing,
         (SELECT count(*)::integer FROM transactions
           WHERE account_id = $1 AND livemode = $2 AND needs_review) AS transactions_in_review,
         (SELECT count(*)::integer FROM payments
           WHERE account_id = $1 AND livemode = $2 AND review IS NOT NULL) AS payments_in_review`;

const SELECT_STEPS = `
  SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = $1 AND livemode = $2 AND revoked_at IS NULL) AS has_key,
         EXISTS (SELECT 1 FROM transfers WHERE account_id = $1 AND livemode = $2) AS has_transfer,
         EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_id = $1 AND livemode = $2 AND deleted_at IS NULL)
           AS has_webhook,
         EXISTS (SELECT 1 FROM webhook_deliveries WHERE account_id = $1 AND livemode = $2 AND status = 'delivered')
           AS has_delivery`;

interface GroupRow {
  readonly day: number;
  readonly currency: Currency;
  readonly type: TransactionType;
  readonly direction: Direction;
  readonly isSale: boolean;
  readonly network: string | null;
  readonly outcome: 'pending' | 'processing' | 'successful' | 'reversed' | 'failed';
  readonly code: string | null;
  readonly count: number;
  readonly amount: string;
  readonly commission: string;
}

/** Of one currency. What moved, in minor units. */
interface Moved {
  readonly currency: Currency;
  amountIn: bigint;
  amountOut: bigint;
}

export interface Day extends Moved {
  /** `2026-11-25`, by the clocks that the days are of. */
  readonly date: string;
  count: number;
  successful: number;
}

/** What was sold of one kind through one network, biller or bank, in one currency. Minor units. */
export interface Sale {
  readonly type: TransactionType;
  readonly network: string | null;
  readonly currency: Currency;
  successful: number;
  failed: number;
  amount: bigint;
  commission: bigint;
}

/** Purchases that failed for one reason. */
interface FailureCount {
  readonly code: string;
  count: number;
}

interface UnderWay {
  readonly pending: number;
  readonly processing: number;
  readonly transactions_in_review: number;
  readonly payments_in_review: number;
}

interface Steps {
  readonly has_key: boolean;
  readonly has_transfer: boolean;
  readonly has_webhook: boolean;
  readonly has_delivery: boolean;
}

interface Webhooks {
  readonly endpoints: number;
  readonly failing: number;
  readonly disabled: number;
  readonly waiting: number;
}

/** Types of what a provider is asked for. */
const PURCHASES = SOLD_PRODUCTS.flatMap((name) => [...PRODUCTS[name].transactions]);

/** Days that still change as transactions end. */
const FRESH_DAYS = 2;
const SETTLED_TTL_MS = 600_000;
/** Where nothing is, nothing is saved by keeping it. */
const EMPTY_TTL_MS = 1;
const SETTLED_MAX = 1_000;
const DAY_MS = 24 * 3_600_000;
/** By how a wallet was used in this time, one reckons how long it lasts. */
const SPENDING_DAYS = 7;

interface Midnight {
  readonly date: string;
  readonly at: Date;
}

interface Span {
  readonly viewer: Viewer;
  /** Oldest first. */
  readonly days: readonly Midnight[];
  /** An id. */
  readonly until: string;
}

/** What happened in a span. */
interface Happened {
  readonly days: readonly Day[];
  /** Those of most money first. */
  readonly sales: readonly Sale[];
  /** The most frequent reason first. */
  readonly failures: readonly FailureCount[];
}

export interface Period extends Happened {
  /** The first day and the last one. */
  readonly from: string;
  readonly to: string;
  /** The days before, as many. */
  readonly before: Happened;
}

/** How an account has been going. */
@Injectable()
export class OverviewService {
  /** Of an account with a million transactions the month takes seconds, and nearly all of it stays as it is. */
  private readonly settled = new LRUCache<string, Happened, Span>({
    max: SETTLED_MAX,
    ttl: SETTLED_TTL_MS,
    fetchMethod: async (_, __, { context, options }) => {
      const happened = await this.read(context);
      if (happened.days.length === 0) options.ttl = EMPTY_TTL_MS;
      return happened;
    },
  });
  private readonly spent = new LRUCache<string, ReadonlyMap<string, bigint>, Viewer>({
    max: SETTLED_MAX,
    ttl: SETTLED_TTL_MS,
    fetchMethod: async (_, __, { context, options }) => {
      const spent = await this.readSpent(context);
      if (spent.size === 0) options.ttl = EMPTY_TTL_MS;
      return spent;
    },
  });

  constructor(private readonly dataSource: DataSource) {}

  /** The last so many days, today among them, by the clocks of a zone or else of the account's. */
  async period(viewer: Viewer, length: number, zone: string | null): Promise<Period> {
    const all: Midnight[] = await this.dataSource.query(SELECT_MIDNIGHTS, [viewer.accountId, 2 * length, zone]);
    const [before, days] = [all.slice(0, length), all.slice(length)];
    const [settled, fresh] = [days.slice(0, -FRESH_DAYS), days.slice(-FRESH_DAYS)];
    const [earlier, older, newer] = await Promise.all([
      this.readSettled(viewer, before, lowestIdAt(days[0]!.at)),
      this.readSettled(viewer, settled, lowestIdAt(fresh[0]!.at)),
      this.read({ viewer, days: fresh, until: HIGHEST_ID }),
    ]);
    return {
      from: days[0]!.date,
      to: days.at(-1)!.date,
      days: [...older.days, ...newer.days],
      ...merged([older, newer]),
      before: earlier,
    };
  }

  /** What has not ended, and what waits for a person. */
  async underWay({ accountId, livemode }: Viewer): Promise<UnderWay> {
    const [counts] = (await this.dataSource.query(SELECT_UNDER_WAY, [accountId, livemode])) as [UnderWay];
    return counts;
  }

  /** What a newcomer has done already. */
  async steps({ accountId, livemode }: Viewer): Promise<Steps> {
    const [steps] = (await this.dataSource.query(SELECT_STEPS, [accountId, livemode])) as [Steps];
    return steps;
  }

  async webhooks({ accountId, livemode }: Viewer): Promise<Webhooks> {
    const [webhooks] = (await this.dataSource.query(SELECT_WEBHOOKS, [accountId, livemode, REQUESTED])) as [Webhooks];
    return webhooks;
  }

  /**
   * How many whole days a wallet lasts at the pace at which money left it in the last week; null where none did. The
   * pace is up to ten minutes old.
   */
  async lasting(
    viewer: Viewer,
  ): Promise<(wallet: { readonly id: string; readonly available: bigint }) => number | null> {
    const spent = await this.spent.fetch(`${viewer.accountId}/${viewer.livemode}`, { context: viewer });
    return ({ id, available }) => {
      const out = spent!.get(id) ?? 0n;
      return out === 0n ? null : Number((available * BigInt(SPENDING_DAYS)) / out);
    };
  }

  private async readSpent({ accountId, livemode }: Viewer): Promise<ReadonlyMap<string, bigint>> {
    const since = lowestIdAt(new Date(Date.now() - SPENDING_DAYS * DAY_MS));
    const rows: { walletId: string; spent: string }[] = await this.dataSource.query(SELECT_SPENT, [
      accountId,
      livemode,
      since,
    ]);
    return new Map(rows.map(({ walletId, spent }) => [walletId, BigInt(spent)]));
  }

  private async readSettled(viewer: Viewer, days: readonly Midnight[], until: string): Promise<Happened> {
    const name = `${viewer.accountId}/${viewer.livemode}/${days[0]!.at.toISOString()}/${until}`;
    return (await this.settled.fetch(name, { context: { viewer, days, until } }))!;
  }

  private async read({ viewer: { accountId, livemode }, days, until }: Span): Promise<Happened> {
    const begins = days.map(({ at }) => lowestIdAt(at));
    const groups: GroupRow[] = await this.dataSource.query(SELECT_GROUPS, [
      accountId,
      livemode,
      until,
      begins,
      PURCHASES,
    ]);
    const [byDay, sales, failures] = [new Map<string, Day>(), new Map<string, Sale>(), new Map<string, FailureCount>()];
    for (const group of groups) {
      const { currency, type, network, code } = group;
      const { date } = days[group.day]!;
      const none = { amountIn: 0n, amountOut: 0n, count: 0, successful: 0 };
      addToDay(entryOf(byDay, `${date} ${currency}`, { date, currency, ...none }), group);
      if (!group.isSale) continue;
      const unsold = { successful: 0, failed: 0, amount: 0n, commission: 0n };
      addToSale(entryOf(sales, saleName(group), { type, network, currency, ...unsold }), group);
      if (code !== null) entryOf(failures, code, { code, count: 0 }).count += group.count;
    }
    return { days: [...byDay.values()], sales: [...sales.values()], failures: [...failures.values()] };
  }
}

/** What a map has under a name; from now on this, where it had nothing. */
function entryOf<Entry>(map: Map<string, Entry>, name: string, none: Entry): Entry {
  const known = map.get(name) ?? none;
  map.set(name, known);
  return known;
}

const saleName = ({ type, network, currency }: Pick<Sale, 'type' | 'network' | 'currency'>): string =>
  `${type} ${currency} ${network}`;

function addToDay(day: Day, { outcome, direction, count, amount }: GroupRow): void {
  day.count += count;
  if (outcome === 'successful') day.successful += count;
  else if (outcome !== 'reversed') return;
  if (direction === 'credit') day.amountIn += BigInt(amount);
  else day.amountOut += BigInt(amount);
}

function addToSale(sale: Sale, { outcome, count, amount, commission }: GroupRow): void {
  if (outcome === 'failed' || outcome === 'reversed') sale.failed += count;
  if (outcome !== 'successful') return;
  sale.successful += count;
  sale.amount += BigInt(amount);
  sale.commission += BigInt(commission);
}

/** Of parts of a period together. What is read is kept, so nothing in it is changed. */
function merged(parts: readonly Happened[]): Pick<Happened, 'sales' | 'failures'> {
  const [sales, failures] = [new Map<string, Sale>(), new Map<string, FailureCount>()];
  for (const sale of parts.flatMap((part) => part.sales)) {
    const sum = entryOf(sales, saleName(sale), { ...sale, successful: 0, failed: 0, amount: 0n, commission: 0n });
    sum.successful += sale.successful;
    sum.failed += sale.failed;
    sum.amount += sale.amount;
    sum.commission += sale.commission;
  }
  for (const { code, count } of parts.flatMap((part) => part.failures))
    entryOf(failures, code, { code, count: 0 }).count += count;
  return {
    sales: [...sales.values()].sort((a, b) => falling(a.amount, b.amount) || b.failed - a.failed),
    failures: [...failures.values()].sort((a, b) => b.count - a.count),
  };
}

/** Of the purchases that ended, how many succeeded; null when none did. */
export function successRate(sales: readonly Sale[]): number | null {
  const successful = sales.reduce((sum, sale) => sum + sale.successful, 0);
  const ended = sales.reduce((sum, sale) => sum + sale.failed, successful);
  return ended === 0 ? null : successful / ended;
}

/** What came in and went out in a period, by currency. */
export function movedByCurrency(days: readonly Moved[]): Map<Currency, Moved> {
  const sums = new Map<Currency, Moved>();
  for (const { currency, amountIn, amountOut } of days) {
    const sum = sums.get(currency) ?? { currency, amountIn: 0n, amountOut: 0n };
    sums.set(currency, { currency, amountIn: sum.amountIn + amountIn, amountOut: sum.amountOut + amountOut });
  }
  return sums;
}

export const falling = (a: bigint, b: bigint): number => (a === b ? 0 : a > b ? -1 : 1);

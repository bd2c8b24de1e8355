import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { HIGHEST_ID, lowestIdAt } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';
import { PRODUCTS, SOLD_PRODUCTS } from '../../../vocabulary/products';

/**
 * Transactions by day and currency. `$4` are the first ids of the days, oldest first: an id carries its time, so the
 * day is found without a column. Amounts are of what succeeded. What moves between the account's own wallets is neither
 * income nor expense, and would count twice. `$5` are the types of purchases: only they can fail at a provider.
 */
const SELECT_DAYS = `
  SELECT width_bucket(id, $4::uuid[]) - 1 AS day, currency, count(*)::integer AS count,
         count(*) FILTER (WHERE status = 'successful')::integer AS successful,
         count(*) FILTER (WHERE status = 'successful' AND type = ANY ($5))::integer AS purchased,
         count(*) FILTER (WHERE status IN ('failed', 'reversed', 'cancelled') AND type = ANY ($5))::integer
           AS not_purchased,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'credit'), 0)::text AS amount_in,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'debit'), 0)::text AS amount_out
    FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= ($4::uuid[])[1] AND id < $3
     AND (counterparty_id IS NULL
       OR counterparty_id NOT IN (SELECT id FROM wallets WHERE account_id = $1 AND livemode = $2))
   GROUP BY 1, currency ORDER BY 1, currency`;

/** Why purchases failed: account, mode, id to end below, first id, types of purchases. */
const SELECT_FAILURES = `
  SELECT coalesce(failure ->> 'code', status) AS code, count(*)::integer AS count
    FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND status IN ('failed', 'reversed', 'cancelled')
     AND id >= $4 AND id < $3 AND type = ANY ($5)
   GROUP BY 1`;

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

interface DayRow {
  readonly day: number;
  readonly currency: string;
  readonly count: number;
  readonly successful: number;
  readonly purchased: number;
  readonly not_purchased: number;
  readonly amount_in: string;
  readonly amount_out: string;
}

/** Purchases that failed for one reason. */
interface FailureCount {
  readonly code: string;
  readonly count: number;
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

/** Types of what a provider is asked for. */
const PURCHASES = SOLD_PRODUCTS.flatMap((name) => [...PRODUCTS[name].transactions]);

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
/** Days that still change as transactions end. */
const FRESH_DAYS = 2;
const SETTLED_TTL_MS = 600_000;

interface Span {
  readonly viewer: Viewer;
  /** Midnights, oldest first. */
  readonly days: readonly Date[];
  readonly until: string;
}

/** What happened in a span. */
interface Happened {
  readonly days: readonly Day[];
  readonly failures: readonly FailureCount[];
}

export interface Day extends Omit<DayRow, 'day'> {
  readonly day: Date;
}

/** Figures of the last 30 days (UTC). */
@Injectable()
export class OverviewService {
  /** Of an account with a million transactions the month takes seconds, and nearly all of it stays as it is. */
  private readonly settled = new LRUCache<string, Happened, Span>({
    max: 1_000,
    ttl: SETTLED_TTL_MS,
    fetchMethod: (_, __, { context }) => this.read(context),
  });

  constructor(private readonly dataSource: DataSource) {}

  /** By day, and why purchases failed, the most frequent reason first. */
  async month(viewer: Viewer): Promise<Happened> {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const all = Array.from({ length: DAYS }, (_, at) => new Date(today - (DAYS - 1 - at) * DAY_MS));
    const [settled, fresh] = [all.slice(0, -FRESH_DAYS), all.slice(-FRESH_DAYS)];
    const name = `${viewer.accountId}/${viewer.livemode}/${today}`;
    const [older, newer] = await Promise.all([
      this.settled.fetch(name, { context: { viewer, days: settled, until: lowestIdAt(fresh[0]!) } }),
      this.read({ viewer, days: fresh, until: HIGHEST_ID }),
    ]);
    return { days: [...older!.days, ...newer.days], failures: mostFirst([...older!.failures, ...newer.failures]) };
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

  private async read({ viewer: { accountId, livemode }, days, until }: Span): Promise<Happened> {
    const starts = days.map(lowestIdAt);
    const [rows, failures] = (await Promise.all([
      this.dataSource.query(SELECT_DAYS, [accountId, livemode, until, starts, PURCHASES]),
      this.dataSource.query(SELECT_FAILURES, [accountId, livemode, until, starts[0], PURCHASES]),
    ])) as [DayRow[], FailureCount[]];
    return { days: rows.map((row) => ({ ...row, day: days[row.day]! })), failures };
  }
}

/** Of both parts of the month together. */
function mostFirst(failures: readonly FailureCount[]): FailureCount[] {
  const counts = new Map<string, number>();
  for (const { code, count } of failures) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { HIGHEST_ID, lowestIdAt } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';

/**
 * Transactions by day and currency. `$4` are the first ids of the days, oldest first: an id carries its time, so the
 * day is found without a column. Amounts are of what succeeded.
 */
const SELECT_DAYS = `
  SELECT width_bucket(id, $4::uuid[]) - 1 AS day, currency, count(*)::integer AS count,
         count(*) FILTER (WHERE status = 'successful')::integer AS successful,
         count(*) FILTER (WHERE status IN ('failed', 'reversed', 'cancelled'))::integer AS unsuccessful,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'credit'), 0)::text AS amount_in,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'debit'), 0)::text AS amount_out
    FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= ($4::uuid[])[1] AND id < $3
   GROUP BY 1, currency ORDER BY 1, currency`;

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
  readonly unsuccessful: number;
  readonly amount_in: string;
  readonly amount_out: string;
}

interface Steps {
  readonly has_key: boolean;
  readonly has_transfer: boolean;
  readonly has_webhook: boolean;
  readonly has_delivery: boolean;
}

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

export interface Day extends Omit<DayRow, 'day'> {
  readonly day: Date;
}

/** Figures of the last 30 days (UTC). */
@Injectable()
export class OverviewService {
  /** Of an account with a million transactions the month takes seconds, and nearly all of it stays as it is. */
  private readonly settled = new LRUCache<string, Day[], Span>({
    max: 1_000,
    ttl: SETTLED_TTL_MS,
    fetchMethod: (_, __, { context }) => this.read(context),
  });

  constructor(private readonly dataSource: DataSource) {}

  async days(viewer: Viewer): Promise<Day[]> {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const all = Array.from({ length: DAYS }, (_, at) => new Date(today - (DAYS - 1 - at) * DAY_MS));
    const [settled, fresh] = [all.slice(0, -FRESH_DAYS), all.slice(-FRESH_DAYS)];
    const name = `${viewer.accountId}/${viewer.livemode}/${today}`;
    const [older, newer] = await Promise.all([
      this.settled.fetch(name, { context: { viewer, days: settled, until: lowestIdAt(fresh[0]!) } }),
      this.read({ viewer, days: fresh, until: HIGHEST_ID }),
    ]);
    return [...older!, ...newer];
  }

  /** What a newcomer has done already. */
  async steps({ accountId, livemode }: Viewer): Promise<Steps> {
    const [steps] = (await this.dataSource.query(SELECT_STEPS, [accountId, livemode])) as [Steps];
    return steps;
  }

  private async read({ viewer: { accountId, livemode }, days, until }: Span): Promise<Day[]> {
    const rows: DayRow[] = await this.dataSource.query(SELECT_DAYS, [accountId, livemode, until, days.map(lowestIdAt)]);
    return rows.map((row) => ({ ...row, day: days[row.day]! }));
  }
}

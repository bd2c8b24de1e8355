import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { HIGHEST_ID, lowestIdAt } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { type DayRow, SELECT_DAYS, SELECT_STEPS, type Steps } from './overview.queries';

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

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lowestIdAt } from '../../../../core/http/ids';
import { SOLD_PRODUCTS } from '../../../../vocabulary/products';
import type {
  AttemptRow,
  ProviderAttemptsQuery,
  ProviderCodeDto,
  ProviderHistoryQuery,
  ProviderPeriodDto,
} from './provider-history.dto';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const CODES_MAX = 30;
const ATTEMPTS_MAX = 50;

/** Of a product, a provider and a mode, from a moment on: `$5` is the length of a period. */
const SELECT_CALLS = `
  SELECT date_trunc($5, minute, 'UTC') AS at, sum(calls)::integer AS calls,
         (coalesce(sum(calls) FILTER (WHERE outcome = 'unknown'), 0))::integer AS unknown,
         round(sum(milliseconds) / sum(calls))::integer AS mean_ms
    FROM provider_calls WHERE product = $1 AND provider = $2 AND livemode = $3 AND minute >= $4
   GROUP BY 1 ORDER BY 1`;

/** By the id of an attempt, which has its time: `$4` is the lowest. */
const ATTEMPTS = `
  FROM purchase_attempts a
  JOIN purchases p ON p.account_id = a.account_id AND p.livemode = a.livemode AND p.id = a.purchase_id
 WHERE p.product = $1 AND a.provider = $2 AND a.livemode = $3 AND a.id >= $4 AND a.outcome IS NOT NULL`;
/** From the id: times of an attempt itself are by the clock of its account. */
const STARTED = `to_timestamp(('x' || translate(left(a.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`;

const SELECT_ENDED = `
  SELECT date_trunc($5, ${STARTED}, 'UTC') AS at, count(*)::integer AS ended,
         (count(*) FILTER (WHERE a.outcome = 'delivered'))::integer AS delivered,
         round(percentile_cont(0.95) WITHIN GROUP (
           ORDER BY extract(epoch FROM a.ended_at - a.started_at) * 1000))::integer AS p95_ms
  ${ATTEMPTS} GROUP BY 1 ORDER BY 1`;
const SELECT_CODES = `
  SELECT coalesce(a.code, 'none') AS code, a.outcome, count(*)::integer AS count, max(${STARTED}) AS last_at
  ${ATTEMPTS} AND a.outcome <> 'delivered' GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${CODES_MAX}`;
const SELECT_ATTEMPTS = `
  SELECT w.*, n.name AS "accountName", t.status
    FROM (SELECT a.account_id AS "accountId", a.livemode, a.purchase_id AS "purchaseId", ${STARTED} AS at, a.outcome,
                 a.message, a.id
            ${ATTEMPTS} AND a.outcome <> 'delivered' AND coalesce(a.code, 'none') = $5
           ORDER BY a.id DESC LIMIT ${ATTEMPTS_MAX}) w
    JOIN accounts n ON n.id = w."accountId"
    JOIN transactions t ON t.account_id = w."accountId" AND t.livemode = w.livemode AND t.id = w."purchaseId"
   ORDER BY w.id DESC`;

type CallRow = Pick<ProviderPeriodDto, 'at' | 'calls' | 'unknown' | 'mean_ms'>;
type EndedRow = Pick<ProviderPeriodDto, 'at' | 'ended' | 'delivered' | 'p95_ms'>;

/** How one provider of a product was doing. */
@Injectable()
export class ProviderHistory {
  constructor(private readonly dataSource: DataSource) {}

  /** Oldest first; a period without calls is not there. */
  async periods(query: ProviderHistoryQuery): Promise<ProviderPeriodDto[]> {
    const [calls, ended] = await Promise.all([
      this.dataSource.query<CallRow[]>(SELECT_CALLS, [...subjectOf(query), startOf(query), periodOf(query)]),
      isSold(query)
        ? this.dataSource.query<EndedRow[]>(SELECT_ENDED, [...subjectOf(query), lowestOf(query), periodOf(query)])
        : [],
    ]);
    const times = new Set([...calls, ...ended].map(({ at }) => at.getTime()));
    const none = isSold(query)
      ? { ended: 0, delivered: 0, p95_ms: null }
      : { ended: null, delivered: null, p95_ms: null };
    return [...times]
      .toSorted((a, b) => a - b)
      .map((time) => ({
        calls: 0,
        unknown: 0,
        mean_ms: null,
        ...none,
        ...calls.find(({ at }) => at.getTime() === time),
        ...ended.find(({ at }) => at.getTime() === time),
        at: new Date(time),
      }));
  }

  /** The most frequent first. */
  async codes(query: ProviderHistoryQuery): Promise<ProviderCodeDto[]> {
    return isSold(query) ? this.dataSource.query(SELECT_CODES, [...subjectOf(query), lowestOf(query)]) : [];
  }

  /** Orders that ended with a code, the last ones first. */
  async attempts(query: ProviderAttemptsQuery): Promise<AttemptRow[]> {
    return isSold(query)
      ? this.dataSource.query(SELECT_ATTEMPTS, [...subjectOf(query), lowestOf(query), query.code])
      : [];
  }
}

export const periodOf = ({ hours }: ProviderHistoryQuery): 'hour' | 'day' =>
  Number(hours) <= DAY_HOURS ? 'hour' : 'day';

const isSold = ({ product }: ProviderHistoryQuery): boolean => (SOLD_PRODUCTS as readonly string[]).includes(product);
const subjectOf = ({ product, provider, livemode }: ProviderHistoryQuery) => [product, provider, livemode] as const;
const startOf = ({ hours }: ProviderHistoryQuery): Date => new Date(Date.now() - Number(hours) * HOUR_MS);
const lowestOf = (query: ProviderHistoryQuery): string => lowestIdAt(startOf(query));

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { decodeId, HIGHEST_ID, lowestIdAt } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';
import type { ErrorRow, RequestLogQuery, RequestRow } from './overview.dto';

/** Newest first, below `before`; a filter that is null lets everything pass. */
const SELECT_REQUESTS = `
  SELECT r.id, r.method, r.path, r.route, r.status, r.handled_status, r.duration_ms, r.key_id,
         k.last4 AS key_last4, r.replayed, r.error_code, r.ip, r.user_agent, r.request_body
    FROM request_log r LEFT JOIN api_keys k ON k.account_id = r.account_id AND k.id = r.key_id
   WHERE r.account_id = $1 AND r.livemode = $2 AND r.id < $3 AND r.id >= $4
     AND ($5::integer IS NULL OR r.status BETWEEN $5 AND $6)
     AND ($7::text IS NULL OR r.method = $7)
     AND ($8::text IS NULL OR starts_with(r.path, $8))
     AND ($9::uuid IS NULL OR r.key_id = $9)
   ORDER BY r.id DESC LIMIT $10`;

/** Failures since `from` by what failed; of very many only the newest are counted. */
const SELECT_ERRORS = `
  SELECT method, route, status, error_code, count(*)::integer AS count, max(id::text) AS last_id
    FROM (SELECT method, route, status, error_code, id FROM request_log
           WHERE account_id = $1 AND livemode = $2 AND status >= 400 AND id >= $3 ORDER BY id DESC LIMIT 50000) newest
   GROUP BY method, route, status, error_code ORDER BY count DESC, last_id DESC LIMIT 100`;

const DAY_MS = 24 * 3_600_000;
/** How far back is looked where nothing is said. */
const REQUESTS_MS = 30 * DAY_MS;
const ERRORS_MS = 7 * DAY_MS;

/** Reads the log of requests to the public API. */
@Injectable()
export class RequestLogService {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: Omit<RequestLogQuery, 'livemode'>,
    before: string | null,
    take: number,
  ): Promise<RequestRow[]> {
    const keyId = filters.key_id === undefined ? null : decodeId('key', filters.key_id);
    if (keyId === null && filters.key_id !== undefined) return [];
    const until = filters.created_lt === undefined ? HIGHEST_ID : lowestIdAt(filters.created_lt);
    const from = lowestIdAt(filters.created_gte ?? new Date(Date.now() - REQUESTS_MS));
    return this.dataSource.query(SELECT_REQUESTS, [
      accountId,
      livemode,
      before !== null && before < until ? before : until,
      from,
      ...statusesOf(filters.status),
      filters.method ?? null,
      filters.path ?? null,
      keyId,
      take,
    ]);
  }

  /** What failed in the last week, the most frequent first. */
  errors({ accountId, livemode }: Viewer): Promise<ErrorRow[]> {
    return this.dataSource.query(SELECT_ERRORS, [accountId, livemode, lowestIdAt(new Date(Date.now() - ERRORS_MS))]);
  }
}

/** First and last status that is meant. */
function statusesOf(status: string | undefined): [number | null, number | null] {
  if (status === undefined) return [null, null];
  const [first, last] = [status.replaceAll('x', '0'), status.replaceAll('x', '9')];
  return [Number(first), Number(last)];
}

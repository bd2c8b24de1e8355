import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sumsBySpan } from '../../core/database/spans';
import { found } from '../../core/errors/domain-error';
import { decodeId, HIGHEST_ID, lowestIdAt } from '../../core/http/ids';
import { RequestLog } from '../../core/request-log/request-log';
import type { Viewer } from '../../core/resources/resources';
import type {
  ErrorRow,
  ExchangedRequest,
  RequestCounts,
  RequestFigures,
  RequestLogQuery,
  RequestRow,
  RequestStory,
} from './request-log.dto';
import { RequestLinks } from './request-links';

const SELECT = `
  SELECT r.id, r.method, r.path, r.route, r.status, r.handled_status, r.duration_ms, r.key_id,
         k.last4 AS key_last4, r.replayed, r.error_code, r.ip, r.user_agent, r.request_body
    FROM request_log r LEFT JOIN api_keys k ON k.account_id = r.account_id AND k.id = r.key_id`;
const SELECT_ONE = `${SELECT} WHERE r.account_id = $1 AND r.livemode = $2 AND r.id = $3`;
const SELECT_SOME = `${SELECT} WHERE r.account_id = $1 AND r.livemode = $2 AND r.id = ANY ($3::uuid[])`;

/** Who sent requests. */
const SELECT_SENDERS = `
  SELECT r.id, r.key_id AS "keyId", k.name AS "keyName", k.last4, r.user_id AS "userId", m.name AS "personName"
    FROM request_log r
    LEFT JOIN api_keys k ON k.account_id = r.account_id AND k.id = r.key_id
    LEFT JOIN LATERAL (
      SELECT name FROM team_members WHERE account_id = r.account_id AND user_id = r.user_id ORDER BY id DESC LIMIT 1
    ) m ON true
   WHERE r.account_id = $1 AND r.livemode = $2 AND r.id = ANY ($3::uuid[])`;
/** Newest first, below `before`; a filter that is null lets everything pass. `$11`: what people did
 * at the dashboard, and nothing else or nothing of it. */
const SELECT_REQUESTS = `${SELECT}
   WHERE r.account_id = $1 AND r.livemode = $2 AND r.id < $3 AND r.id >= $4
     AND ($5::integer IS NULL OR r.status BETWEEN $5 AND $6)
     AND ($7::text IS NULL OR r.method = $7)
     AND ($8::text IS NULL OR strpos(lower(r.path), lower($8)) > 0)
     AND ($9::uuid IS NULL OR r.key_id = $9)
     AND ($11::boolean IS NULL OR (r.key_id IS NULL) = $11)
     AND ($12::uuid[] IS NULL OR r.id = ANY ($12))
     AND ($13::text IS NULL OR r.route = $13)
     AND ($14::text IS NULL OR r.error_code = $14)
   ORDER BY r.id DESC LIMIT $10`;

/** Failures since `from` by what failed; of very many only the newest are counted. */
const SELECT_ERRORS = `
  SELECT method, route, status, error_code, count(*)::integer AS count, max(id::text) AS last_id
    FROM (SELECT method, route, status, error_code, id FROM request_log
           WHERE account_id = $1 AND livemode = $2 AND status >= 400 AND key_id IS NOT NULL AND id >= $3
           ORDER BY id DESC LIMIT 50000) newest
   GROUP BY method, route, status, error_code ORDER BY count DESC, last_id DESC LIMIT 100`;

/**
 * How requests went by span of time: account, mode, first ids of the spans, oldest first, a key or null, how many of
 * the newest are counted.
 */
const SELECT_SPANS = sumsBySpan(
  `SELECT width_bucket(id, $3::uuid[]) - 1 AS span, duration_ms, count(*) AS count,
          count(*) FILTER (WHERE status BETWEEN 400 AND 499) AS refused, count(*) FILTER (WHERE status >= 500) AS failed
     FROM (SELECT id, status, duration_ms FROM request_log
            WHERE account_id = $1 AND livemode = $2 AND id >= ($3::uuid[])[1] AND key_id IS NOT NULL
              AND ($4::uuid IS NULL OR key_id = $4)
            ORDER BY id DESC LIMIT $5) newest
    GROUP BY 1, 2`,
  { count: 'requests', refused: 'refused', failed: 'failed' },
  { p95_ms: 0.95 },
);
const COUNTED_MAX = 100_000;

const DAY_MS = 24 * 3_600_000;
/** How far back is looked where nothing is said. */
const REQUESTS_MS = 30 * DAY_MS;
const ERRORS_MS = 7 * DAY_MS;

/** Who sent a request: a key of the account's, or a person at the dashboard. */
export interface RequestSender {
  /** Uuid of the request. */
  readonly id: string;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly last4: string | null;
  readonly userId: string | null;
  readonly personName: string | null;
}

const NO_REQUESTS = { requests: 0, refused: 0, failed: 0, p95_ms: null };

/** Reads the log of requests to the public API. */
@Injectable()
export class RequestLogService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly log: RequestLog,
    private readonly links: RequestLinks,
  ) {}

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
    const made = filters.made === undefined ? null : [await this.links.thatMade({ accountId, livemode }, filters.made)];
    const oldest = made === null ? Date.now() - REQUESTS_MS : 0;
    const from = lowestIdAt(filters.created_gte ?? new Date(oldest));
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
      made === null ? filters.by === 'dashboard' : null,
      made,
      filters.route ?? null,
      filters.error_code ?? null,
    ]);
  }

  /** By its public id, whoever sent it, with what went to and fro and what it made. Throws `NotFound`. */
  async require(viewer: Viewer, publicId: string): Promise<RequestStory> {
    const request = await this.requireRow(viewer, publicId);
    const [[exchanged], made] = await Promise.all([
      this.withExchanges(viewer, [request]),
      this.links.madeBy(viewer, request.id, request.duration_ms),
    ]);
    return { ...exchanged!, made };
  }

  /** The same without what went to and fro, and what it made. Throws `NotFound`. */
  async requireRow({ accountId, livemode }: Viewer, publicId: string): Promise<RequestRow> {
    const id = decodeId('req', publicId);
    const [row]: RequestRow[] = id === null ? [] : await this.dataSource.query(SELECT_ONE, [accountId, livemode, id]);
    return found(row, 'request');
  }

  /** Those of some uuids that are kept, with what went to and fro. */
  async exchanges(viewer: Viewer, ids: readonly string[]): Promise<ExchangedRequest[]> {
    if (ids.length === 0) return [];
    const rows: RequestRow[] = await this.dataSource.query(SELECT_SOME, [viewer.accountId, viewer.livemode, ids]);
    return this.withExchanges(viewer, rows);
  }

  async withExchanges({ accountId, livemode }: Viewer, rows: readonly RequestRow[]): Promise<ExchangedRequest[]> {
    const ids = rows.map(({ id }) => id);
    const exchanges = await this.log.exchangesOf({ accountId, livemode }, ids);
    return rows.map((row) => ({ ...row, exchange: exchanges.get(row.id) ?? null }));
  }

  /** Who sent those. */
  senders({ accountId, livemode }: Viewer, ids: readonly string[]): Promise<RequestSender[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.dataSource.query(SELECT_SENDERS, [accountId, livemode, ids]);
  }

  /** How requests went. `begins`: of the spans, oldest first; `keyId`: of one key only, by its public id. */
  async figures({ accountId, livemode }: Viewer, begins: readonly Date[], keyId?: string): Promise<RequestFigures> {
    const key = keyId === undefined ? null : (decodeId('key', keyId) ?? HIGHEST_ID);
    const values = [accountId, livemode, begins.map(lowestIdAt), key, COUNTED_MAX];
    const rows: (RequestCounts & { span: number })[] = await this.dataSource.query(SELECT_SPANS, values);
    const bySpan = new Map(rows.map(({ span, ...counts }) => [span, counts]));
    const all = bySpan.get(-1) ?? NO_REQUESTS;
    const spans = begins.map((from, span) => ({ from, ...(bySpan.get(span) ?? NO_REQUESTS) }));
    return { all, spans, capped: all.requests === COUNTED_MAX };
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

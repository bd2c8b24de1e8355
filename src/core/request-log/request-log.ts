import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { bulkInsert, combineWrites, type Write } from '../database/bulk';
import { type AnsweredRequest, AnsweredRequests } from '../http/request-observer';
import { lowestIdAt, timeOf } from '../http/ids';
import { problemCodeOf } from '../http/problems';
import { RETIRED, type Retirement } from '../http/route-markers';
import { requestLogDropped } from '../metrics/metrics';
import { REDACTED, redactText } from '../text/redacted';
import SECRET_FIELDS from './secret-fields.json';

const insertRequest = bulkInsert('request_log', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  key_id: 'uuid?',
  user_id: 'uuid?',
  method: 'text',
  path: 'text',
  route: 'text',
  status: 'integer',
  handled_status: 'integer?',
  duration_ms: 'integer',
  replayed: 'boolean',
  error_code: 'text?',
  ip: 'text?',
  user_agent: 'text?',
  request_body: 'text?',
});

const PUBLIC_API = /^\/(?:v4|api\/v1)\//;
const FLUSH_MS = 100;
/** Rows of one statement. */
const BATCH_MAX = 1_000;
const WAITING_MAX = 10_000;
/** Bodies are kept as they are until they are written: more of them would crowd out the requests. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;
const TEXT_MAX = 300;
const MB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
/** What a row takes without its body, about. */
const ROW_BYTES = 300;
const NO_BODY = JSON.stringify('Not kept: the request log has had its bodies for today (REQUEST_LOG_DAILY_MB).');
const NO_MORE = JSON.stringify(
  'Nothing is kept from here on: the request log has had its share for today (REQUEST_LOG_DAILY_MB).',
);

type Row = Parameters<typeof insertRequest.row>[0] & {
  readonly account_id: string;
  readonly request_body: string | null;
};

/** What was kept of an account on a day. */
interface Kept {
  readonly day: number;
  bytes: number;
}

interface Waiting {
  readonly bytes: number;
  readonly row: () => Row;
}

/**
 * Requests of accounts to the public API, for the dashboard. Written off the requests' path, ten times a second: what
 * waits longer grows old on the heap. What would have to wait too long, or cannot be written, is dropped and counted.
 */
@Injectable()
export class RequestLog implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('request-log');
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly kept = new LRUCache<string, Kept>({ max: 10_000 });
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly answered: AnsweredRequests,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    if (this.env.REQUEST_LOG === 'on')
      this.answered.listen((request, reply, status) => this.add(request, reply, status));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return (this.flushing = this.flushing.then(() => this.writeWaiting()));
  }

  private add(request: AnsweredRequest, reply: FastifyReply, status: number): void {
    const { caller, routeOptions } = request;
    if (caller === undefined || !PUBLIC_API.test(routeOptions.url ?? '')) return;
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (this.waiting.length >= WAITING_MAX || this.waitingBytes + bytes > WAITING_BYTES_MAX)
      return requestLogDropped.inc();
    this.waiting.push({ bytes, row: describe(request, reply, status) });
    this.waitingBytes += bytes;
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX);
      for (const { bytes } of batch) this.waitingBytes -= bytes;
      await this.write(batch);
    }
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    try {
      const writes = batch.flatMap(({ row }) => this.withinBudget(row()));
      if (writes.length === 0) return;
      const { query, params } = combineWrites(writes);
      await this.dataSource.query(query.text, params);
    } catch (error) {
      requestLogDropped.inc(batch.length);
      this.log.warn({ msg: 'requests could not be logged', requests: batch.length, err: error });
    }
  }

  /**
   * Beyond the day's budget of an account rows have no body, beyond twice the budget there are none; the last one says
   * so.
   */
  private withinBudget(row: Row): Write[] {
    const budget = this.env.REQUEST_LOG_DAILY_MB * MB;
    const day = Math.floor(Date.now() / DAY_MS);
    let kept = this.kept.get(row.account_id);
    if (kept?.day !== day) this.kept.set(row.account_id, (kept = { day, bytes: 0 }));
    if (kept.bytes >= 2 * budget) {
      requestLogDropped.inc();
      return [];
    }
    const hasBody = kept.bytes < budget;
    kept.bytes += ROW_BYTES + (hasBody ? (row.request_body?.length ?? 0) : 0);
    if (kept.bytes >= 2 * budget) return [insertRequest.row({ ...row, request_body: NO_MORE })];
    return [insertRequest.row(hasBody || row.request_body === null ? row : { ...row, request_body: NO_BODY })];
  }
}

/** Takes the little that the row needs, so that the request itself can go, and leaves the work for later. */
function describe(request: AnsweredRequest, reply: FastifyReply, status: number): () => Row {
  const { id, method, ip } = request;
  const { accountId, livemode, keyId, person } = request.caller!;
  const { statusCode: handled, elapsedTime } = reply;
  const [url, route, agent, content] = [
    request.raw.url!,
    request.routeOptions.url!,
    request.headers['user-agent'],
    request.body ?? request.query,
  ];
  const replayed = reply.hasHeader('idempotent-replayed');
  const errorCode = problemCodeOf(reply);
  return () => ({
    account_id: accountId,
    livemode,
    id,
    key_id: keyId,
    user_id: person?.userId ?? null,
    method,
    path: storable(redactText(url.split('?', 1)[0]!)),
    route,
    status,
    handled_status: handled === status ? null : handled,
    duration_ms: Math.round(elapsedTime),
    replayed,
    error_code: errorCode,
    ip: (ip as string | undefined) ?? null,
    user_agent: agent === undefined ? null : storable(agent),
    request_body: redactedJson(content),
  });
}

const storable = (text: string): string => text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '\ufffd');

const BODY_CHARS_MAX = 4_096;
const secretFields = new Set(SECRET_FIELDS);

/** What may be kept of a body or a query: JSON without secrets, cut after 4096 characters; null when it is empty. */
export function redactedJson(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || Object.keys(content).length === 0) return null;
  return JSON.stringify(content, redact).slice(0, BODY_CHARS_MAX).toWellFormed();
}

function redact(name: string, value: unknown): unknown {
  if (secretFields.has(name.toLowerCase()) && value !== null) return REDACTED;
  return typeof value === 'string' ? redactText(value) : value;
}

const SELECT_CALLERS = `
  SELECT account_id AS "accountId", livemode, key_id AS "keyId", count(*)::integer AS calls, max(id::text) AS "lastId"
    FROM request_log
   WHERE id >= $1 AND method = $2 AND route = $3 AND ($4::text IS NULL OR strpos(request_body, $4) > 0)
   GROUP BY account_id, livemode, key_id ORDER BY calls DESC`;

interface CallerRow {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly keyId: string | null;
  readonly calls: number;
  readonly lastId: string;
}

/** Somebody who still uses what is retired. */
export interface RetiredCaller extends Omit<CallerRow, 'lastId'> {
  readonly lastAt: Date;
}

export interface RetiredRoute extends Retirement {
  readonly method: string;
  readonly route: string;
}

/** What is retired, and who still calls it, by the request log. */
@Injectable()
export class RetiredCalls {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly dataSource: DataSource,
  ) {}

  async list(days: number): Promise<(RetiredRoute & { callers: RetiredCaller[] })[]> {
    const from = lowestIdAt(new Date(Date.now() - days * DAY_MS));
    return Promise.all(this.routes().map(async (route) => ({ ...route, callers: await this.callersOf(route, from) })));
  }

  private async callersOf({ method, route, field }: RetiredRoute, from: string): Promise<RetiredCaller[]> {
    const rows: CallerRow[] = await this.dataSource.query(SELECT_CALLERS, [
      from,
      method,
      route,
      field === undefined ? null : `"${field}":`,
    ]);
    return rows.map(({ lastId, ...caller }) => ({ ...caller, lastAt: timeOf(lastId) }));
  }

  private routes(): RetiredRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = (metatype?.prototype ?? null) as Record<string, () => unknown> | null;
      const names = prototype === null ? [] : this.scanner.getAllMethodNames(prototype);
      return names.flatMap((name) => {
        const handler = prototype![name]!;
        const retirement = this.reflector.get<Retirement | undefined>(RETIRED, handler);
        if (retirement === undefined) return [];
        const paths = [
          this.reflector.get<string>(PATH_METADATA, metatype as () => unknown),
          this.reflector.get<string>(PATH_METADATA, handler),
        ];
        const route = `/${paths
          .flatMap((path) => path.split('/'))
          .filter(Boolean)
          .join('/')}`;
        return [
          { ...retirement, method: RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)], route },
        ];
      });
    });
  }
}

import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { isFenced } from '../cells/slot-moves';
import { Env } from '../config/env';
import { bulkInsert, combineWrites, type Write } from '../database/bulk';
import type { Key } from '../http/caller';
import { type AnsweredRequest, AnsweredRequests } from '../http/request-observer';
import { lowestIdAt } from '../http/ids';
import { problemOf } from '../http/problems';
import { requestLogDropped } from '../metrics/metrics';
import { Recurring } from '../queue/recurring-jobs';
import { SecretBox } from '../secrets/secret-box';
import { scrubText } from '../text/scrubbed';
import { type KeptExchange, keptHeaders, keptPath, redactedAnswer, redactedJson } from './kept';

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

const insertExchange = bulkInsert('request_exchanges', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  box: 'bytea',
});

const PUBLIC_API = /^\/(?:v4|api\/v1)\//;
/** What reads the log is not what one looks for in it. */
const OWN = '/v4/request-logs';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const FAILED_FROM = 400;
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

const DELETE_EXCHANGES = `
  DELETE FROM request_exchanges WHERE (account_id, livemode, id) IN
    (SELECT account_id, livemode, id FROM request_exchanges
      WHERE id < $1 AND NOT ${isFenced('account_id')} LIMIT $2)`;

type Row = Parameters<typeof insertRequest.row>[0] & {
  readonly account_id: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly request_body: string | null;
};

/** What was kept of an account on a day. */
interface Kept {
  readonly day: number;
  bytes: number;
}

/** What is kept of a request: its row, and what went to and fro when it failed. */
interface Told {
  readonly row: Row;
  readonly exchange: KeptExchange | null;
}

interface Waiting {
  readonly bytes: number;
  readonly tell: () => Told;
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
    private readonly box: SecretBox,
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
    // What the dashboard reads to show its pages would crowd out the account's own programs.
    const isLooking = caller.person !== undefined || routeOptions.url!.startsWith(OWN);
    if (isLooking && READS.has(request.method) && status < FAILED_FROM) return;
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (this.waiting.length >= WAITING_MAX || this.waitingBytes + bytes > WAITING_BYTES_MAX)
      return requestLogDropped.inc();
    this.waiting.push({ bytes, tell: describe(request, reply, status) });
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
      const writes = batch.flatMap(({ tell }) => this.withinBudget(tell()));
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
  private withinBudget({ row, exchange }: Told): Write[] {
    const budget = this.env.REQUEST_LOG_DAILY_MB * MB;
    const day = Math.floor(Date.now() / DAY_MS);
    let kept = this.kept.get(row.account_id);
    if (kept?.day !== day) this.kept.set(row.account_id, (kept = { day, bytes: 0 }));
    if (kept.bytes >= 2 * budget) {
      requestLogDropped.inc();
      return [];
    }
    const hasBody = kept.bytes < budget;
    const said = hasBody && exchange !== null ? JSON.stringify(exchange) : null;
    kept.bytes += ROW_BYTES + (hasBody ? (row.request_body?.length ?? 0) : 0) + (said?.length ?? 0);
    if (kept.bytes >= 2 * budget) return [insertRequest.row({ ...row, request_body: NO_MORE })];
    const written = insertRequest.row(hasBody || row.request_body === null ? row : { ...row, request_body: NO_BODY });
    return said === null ? [written] : [written, this.sealed(row, said)];
  }

  private sealed({ account_id, livemode, id }: Row, said: string): Write {
    return insertExchange.row({ account_id, livemode, id, box: this.box.seal(said, id) });
  }

  /** What went to and fro; null when it was not kept, or its time is over. */
  async exchangeOf({ id, ...tenant }: Key): Promise<KeptExchange | null> {
    return (await this.exchangesOf(tenant, [id])).get(id) ?? null;
  }

  /** The same of some requests, by their uuids. */
  async exchangesOf(
    { accountId, livemode }: Omit<Key, 'id'>,
    ids: readonly string[],
  ): Promise<Map<string, KeptExchange>> {
    const kept = ids.filter((id) => id >= this.oldestExchange());
    if (kept.length === 0) return new Map();
    const rows: { id: string; box: Buffer }[] = await this.dataSource.query(
      'SELECT id, box FROM request_exchanges WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])',
      [accountId, livemode, kept],
    );
    return new Map(rows.map(({ id, box }) => [id, JSON.parse(this.box.open(box, id)) as KeptExchange]));
  }

  /** In pieces: one long delete would keep its locks until its end. */
  @Recurring({ name: 'request_log.forget_answers', everyMs: DAY_MS })
  async forgetAnswers(): Promise<void> {
    for (let deleted = BATCH_MAX; deleted === BATCH_MAX;)
      [, deleted] = await this.dataSource.query<[unknown, number]>(DELETE_EXCHANGES, [
        this.oldestExchange(),
        BATCH_MAX,
      ]);
  }

  private oldestExchange(): string {
    return lowestIdAt(new Date(Date.now() - this.env.REQUEST_LOG_ANSWER_DAYS * DAY_MS));
  }
}

/** Takes the little that the row needs, so that the request itself can go, and leaves the work for later. */
function describe(request: AnsweredRequest, reply: FastifyReply, status: number): () => Told {
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
  const problem = problemOf(reply);
  const exchange = status < FAILED_FROM ? null : exchangeOf(request, reply, problem?.body ?? null);
  return () => ({
    row: {
      account_id: accountId,
      livemode,
      id,
      key_id: keyId,
      user_id: person?.userId ?? null,
      method,
      path: storable(keptPath(url)),
      route,
      status,
      handled_status: handled === status ? null : handled,
      duration_ms: Math.round(elapsedTime),
      replayed,
      error_code: problem?.code ?? null,
      ip: (ip as string | undefined) ?? null,
      user_agent: agent === undefined ? null : storable(scrubText(agent)),
      request_body: redactedJson(content),
    },
    exchange: exchange?.() ?? null,
  });
}

/** Of a request that failed. */
function exchangeOf(
  { headers: asked }: AnsweredRequest,
  reply: FastifyReply,
  answer: string | null,
): () => KeptExchange {
  const answered = reply.getHeaders();
  return () => ({
    request_headers: keptHeaders(asked, 'request'),
    answer_headers: keptHeaders(answered, 'answer'),
    answer: answer === null ? null : redactedAnswer(answer),
  });
}

const storable = (text: string): string => text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '\ufffd');

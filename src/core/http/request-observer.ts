import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Log } from '../logging/log';
import { httpRequestSeconds, httpRequestsInFlight } from '../metrics/metrics';
import type { Caller } from './caller';
import { encodeId, type IdPrefix } from './ids';
import { beginRequest, publicRequestId, traceIdOf } from './request-context';

/** Counts and logs every request, one line each: never a body, a query string or a header that carries a secret. */
export class RequestObserver {
  /** Encoding an id costs more than the rest of a line, and few callers send most requests. */
  private readonly publicIds = new LRUCache<string, string, IdPrefix>({ max: 10_000, memoMethod: (id, _, { context }) => encodeId(context, id) });

  constructor(private readonly log: Log) {}

  readonly begin = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    httpRequestsInFlight.inc();
    beginRequest(request, reply);
    done();
  };

  readonly end = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    httpRequestsInFlight.dec();
    this.record(request, reply);
    done();
  };

  record(request: FastifyRequest & { caller?: Caller }, reply: FastifyReply): void {
    const { method, headers, caller } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'unmatched';
    httpRequestSeconds.observe({ method, route, status }, elapsedTime / 1000);
    if (!this.log.isLevelEnabled('info')) return;
    this.log.info({
      method,
      route,
      status,
      ms: Math.round(elapsedTime * 100) / 100,
      request_id: publicRequestId(reply),
      account_id: caller && this.publicIds.memo(caller.accountId, { context: 'acct' }),
      key_id: caller && this.publicIds.memo(caller.keyId, { context: 'key' }),
      replayed: reply.hasHeader('idempotent-replayed') || undefined,
      client_request_id: clip(headers['x-request-id']),
      trace_id: traceIdOf(request) ?? undefined,
    });
  }
}

const CLIENT_ID_MAX = 200;
const clip = (value: string | string[] | undefined) => (value === undefined ? undefined : String(value).slice(0, CLIENT_ID_MAX));

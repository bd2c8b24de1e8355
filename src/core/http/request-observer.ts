import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors/domain-error';
import type { Log } from '../logging/log';
import { httpRequestSeconds, httpRequestsInFlight } from '../metrics/metrics';
import { tracing, type TracedRequest } from '../tracing/tracing';
import type { Caller } from './caller';
import { HangUps } from './connections';
import { isForSession } from './doors';
import { encodeId } from './ids';
import {
  beginRequest,
  countHeaders,
  type HeadersOfAnswers,
  headersOfAnswers,
  publicRequestId,
  traceIdOf,
} from './request-context';

/** Counts and logs every request, one line each: never a body, a query string or a header that carries a secret. */
export class RequestObserver {
  /** Each writes its caller's ids: to encode them costs more than the rest of a line, and few callers send most. */
  private readonly logs = new LRUCache<string, Log>({ max: 10_000 });

  readonly hangUps = new HangUps((request, reply, status) => this.conclude(request, reply, status));
  /** Who else wants to know of each request, when it is over. */
  tell: (request: AnsweredRequest, reply: FastifyReply, status: number) => void = () => undefined;

  constructor(
    private readonly log: Log,
    readonly headers: HeadersOfAnswers = headersOfAnswers(),
  ) {}

  readonly begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    httpRequestsInFlight.inc();
    beginRequest(request, reply, this.headers);
    this.hangUps.follow(reply);
    const fault = isHostUnclear(request) ? new HostUnclear() : undefined;
    if (tracing.on === null) done(fault);
    else traceOf(request, reply).run(() => done(fault));
  };

  readonly end = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (!this.hangUps.isRecorded(reply)) {
      httpRequestsInFlight.dec();
      this.conclude(request, reply, reply.statusCode);
    }
    done();
  };

  private conclude(request: FastifyRequest, reply: FastifyReply, status: number): void {
    this.record(request, reply, status);
    this.tell(request, reply, status);
  }

  /** `status`: what the client had; what the handler answered stands beside it when nobody waited for that. */
  record(request: AnsweredRequest, reply: FastifyReply, status = reply.statusCode): void {
    const { method, headers, caller } = request;
    const { statusCode: handled, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'unmatched';
    httpRequestSeconds.observe({ method, route, status }, elapsedTime / 1000);
    const traced = (request as Traced)[TRACE];
    traced?.end(route, status);
    if (!this.log.isLevelEnabled('info')) return;
    this.logOf(caller).info({
      method,
      route,
      status,
      handled_status: handled === status ? undefined : handled,
      ms: Math.round(elapsedTime * 100) / 100,
      request_id: publicRequestId(reply),
      replayed: reply.hasHeader('idempotent-replayed') || undefined,
      client_request_id: clip(headers['x-request-id']),
      trace_id: traced?.id ?? traceIdOf(request) ?? undefined,
      client_trace_id: traced && (traceIdOf(request) ?? undefined),
    });
  }

  private logOf(caller: Caller | undefined): Log {
    if (caller === undefined) return this.log;
    const id = caller.keyId ?? caller.person!.sessionId;
    const known = this.logs.get(id);
    if (known !== undefined) return known;
    const log = this.log.child(publicIdsOf(caller));
    this.logs.set(id, log);
    return log;
  }
}

const TRACE = Symbol('duka:trace');
type Traced = FastifyRequest & { [TRACE]?: TracedRequest };

function traceOf(request: Traced, reply: FastifyReply): TracedRequest {
  const { id, method, headers } = request;
  const traceparent = headers.traceparent as string | undefined;
  return (request[TRACE] = tracing.on!.request({ id, publicId: publicRequestId(reply), method, traceparent }));
}

/**
 * RFC 9112 wants a 400 for none and for two. Node looks for none only and answers without a body, so its own check is
 * off.
 */
function isHostUnclear({ raw }: FastifyRequest): boolean {
  if (raw.headers.host === undefined) return raw.httpVersion === '1.1';
  return countHeaders(raw, 'host') > 1;
}

class HostUnclear extends DomainError {
  constructor() {
    super({
      code: 'malformed_request',
      kind: 'malformed',
      title: 'Malformed request',
      detail: 'The request must have one Host header.',
    });
  }
}

const publicIdsOf = ({ accountId, keyId, person }: Caller) => ({
  account_id: encodeId('acct', accountId),
  key_id: keyId === null ? undefined : encodeId('key', keyId),
  user_id: person && encodeId('usr', person.userId),
});

const CLIENT_ID_MAX = 200;
const clip = (value: string | string[] | undefined) =>
  value === undefined ? undefined : String(value).slice(0, CLIENT_ID_MAX);

export type AnsweredRequest = FastifyRequest & { readonly caller?: Caller; answeredId?: string };
/** `status` is the reply's, or 499 when its client did not wait for it. */
type Listener = (request: AnsweredRequest, reply: FastifyReply, status: number) => void;

/** Tells whoever wants to know of each request that was handled. Listeners are quick and never throw. */
@Injectable()
export class AnsweredRequests {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Fastify `preSerialization` hook: what a person at the dashboard made or moved, by its public id. */
  readonly keepId = (
    request: AnsweredRequest,
    _: FastifyReply,
    body: unknown,
    done: (error: null, body: unknown) => void,
  ): void => {
    if (isForSession(request)) request.answeredId = (body as { id?: string } | null)?.id;
    done(null, body);
  };

  readonly tell: Listener = (request, reply, status) => {
    for (const listener of this.listeners) listener(request, reply, status);
  };
}

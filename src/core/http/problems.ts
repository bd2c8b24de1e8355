import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeptElsewhere } from '../cells/cells';
import { Forwarding } from '../cells/forwarding';
import { Env } from '../config/env';
import { isDatabaseAway, isStatementTimeout, sqlState } from '../database/unit-of-work';
import {
  DomainError,
  type ErrorDetails,
  type FieldError,
  HeadersTooLarge,
  type Figures,
  type ProviderRefusal,
  type Recovery,
} from '../errors/domain-error';
import { ERROR_KINDS } from '../errors/error-kinds';
import { toJsonNumber } from '../money/money';
import { publicRequestId, publicUrl } from './request-context';
import { RateLimiter } from './rate-limiter';

interface Path {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

/** Every path of the service with its methods: tells a wrong method (405) from a wrong address (404). */
@Injectable()
export class RouteTable {
  private readonly paths = new Map<string, Path>();

  /** Fastify `onRoute` hook. */
  readonly add = ({ url, method }: { url: string; method: string | string[] }): void => {
    const path = this.paths.get(url) ?? { matches: patternOf(url), methods: new Set() };
    this.paths.set(url, path);
    for (const name of [method].flat()) path.methods.add(name);
  };

  /** Methods that some route has for the path of `url`; empty when no route has it. */
  methodsOf(url: string): string[] {
    const path = url.split('?', 1)[0]!;
    return [...this.paths.values()]
      .filter(({ matches }) => matches.test(path))
      .flatMap(({ methods }) => [...methods])
      .filter((name, index, all) => all.indexOf(name) === index)
      .sort();
  }
}

/** `/v4/wallets/:id` → `^/v4/wallets/[^/]+$`. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/.-]+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  );

/** RFC 9457 document: the body of every failure of every route. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  param: string | null;
  errors: readonly FieldError[];
  recovery: Recovery;
  retryable: boolean;
  resource_id: string | null;
  provider: ProviderRefusal | null;
  request_id: string;
  /** Minor units. */
  expected?: number;
  actual?: number;
  min?: number;
  max?: number;
}

/** A problem ready for the wire, whoever writes it: Fastify or, before there is a request, the bare socket. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SENT = Symbol('duka:problem');

/** A problem as it was answered. */
interface SentProblem {
  readonly code: string;
  /** JSON. */
  readonly body: string;
}

interface Failed {
  [SENT]?: SentProblem;
}

/** The problem that a reply carried; null when it carried none. */
export const problemOf = (reply: FastifyReply): SentProblem | null => (reply as Failed)[SENT] ?? null;

/** The only place where a failure becomes bytes. */
@Injectable()
export class Problems {
  private readonly docs: string;

  constructor(env: Env) {
    this.docs = `${publicUrl(env)}/docs/errors#`;
  }

  render(details: ErrorDetails, requestId: string): ProblemAnswer {
    const { status, recovery, retryable } = ERROR_KINDS[details.kind];
    const problem: Problem = {
      type: this.docs + details.code,
      title: details.title,
      status,
      code: details.code,
      detail: details.detail,
      param: details.param ?? null,
      errors: details.errors ?? [],
      recovery: details.recovery ?? recovery,
      retryable: details.retryable ?? retryable,
      resource_id: details.resourceId ?? null,
      provider: details.provider ?? null,
      request_id: requestId,
      ...numbersOf(details.figures),
    };
    return { status, headers: headersOf(status, details), body: JSON.stringify(problem) };
  }

  send(reply: FastifyReply, details: ErrorDetails): void {
    const { status, headers, body } = this.render(details, publicRequestId(reply));
    (reply as Failed)[SENT] = { code: details.code, body };
    void reply.code(status).headers(headers).send(body);
  }
}

const numbersOf = (figures: Figures = {}): Partial<Record<keyof Figures, number>> =>
  Object.fromEntries(Object.entries(figures).map(([name, amount]) => [name, toJsonNumber(amount)]));

// Fastify adds the charset to any JSON type; so does the bare socket, for one form everywhere.
const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

function headersOf(status: number, { retryAfter, allow }: ErrorDetails): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': PROBLEM_JSON };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (allow !== undefined) headers.allow = allow.join(', ');
  return headers;
}

const MALFORMED: ErrorDetails = {
  code: 'malformed_request',
  kind: 'malformed',
  title: 'Malformed request',
  detail: 'The request is not valid HTTP, or its address or length is not well-formed.',
};
const NOT_FOUND: ErrorDetails = {
  code: 'not_found',
  kind: 'not_found',
  title: 'Not found',
  detail: 'There is nothing at this address.',
};
const TOO_LARGE: ErrorDetails = {
  code: 'payload_too_large',
  kind: 'too_large',
  title: 'Payload too large',
  detail: 'The body is larger than the route takes: 64 KiB, or 8 MiB for batches.',
};
const MEDIA_TYPE: ErrorDetails = {
  code: 'unsupported_media_type',
  kind: 'unsupported_media_type',
  title: 'Unsupported media type',
  detail: 'Send the body as JSON, with Content-Type: application/json.',
};
const UNAVAILABLE: ErrorDetails = {
  code: 'service_unavailable',
  kind: 'unavailable',
  title: 'Service unavailable',
  detail: 'The service cannot do this right now. Send the same request again, with the same Idempotency-Key.',
  retryAfter: 1,
};
const UNSTORABLE: ErrorDetails = {
  code: 'validation_failed',
  kind: 'malformed',
  title: 'Invalid request',
  detail: 'A value of the request is out of range or holds text that cannot be stored.',
};
const INTERNAL: ErrorDetails = {
  code: 'internal_error',
  kind: 'internal',
  title: 'Internal error',
  detail: 'Something went wrong on our side. Quote the request id when you ask about it.',
};

/** Failures that Fastify finds before a handler runs, by its code. */
const BY_FASTIFY_CODE: Readonly<Record<string, ErrorDetails>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: MEDIA_TYPE,
  FST_ERR_CTP_EMPTY_TYPE: MEDIA_TYPE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: MALFORMED,
  FST_ERR_BAD_URL: MALFORMED,
  // No id is that long: like any malformed id it names nothing.
  FST_ERR_MAX_PARAM_LENGTH: NOT_FOUND,
  FST_ERR_HANDLER_TIMEOUT: UNAVAILABLE,
};

const BY_STATUS: Readonly<Record<number, ErrorDetails>> = {
  400: MALFORMED,
  401: {
    code: 'invalid_api_key',
    kind: 'unauthenticated',
    title: 'Invalid API key',
    detail: 'The request does not carry a valid API key.',
  },
  403: { code: 'forbidden', kind: 'forbidden', title: 'Forbidden', detail: 'The API key may not do this.' },
  404: NOT_FOUND,
  413: TOO_LARGE,
  415: MEDIA_TYPE,
  503: UNAVAILABLE,
};

/** SQLSTATEs that a value of the request causes: text, uuid, number or time that PostgreSQL cannot hold. */
const CAUSED_BY_VALUE = new Set(['22021', '22P02', '22003', '22P05', '22008']);

/**
 * What to tell about anything that was thrown. What is not known becomes `internal_error` and says nothing of itself.
 */
export function describeFailure(error: unknown): ErrorDetails {
  if (error instanceof DomainError) return error.details;
  const cause = error instanceof HttpException ? (error.cause ?? error) : error;
  if (cause instanceof DomainError) return cause.details;
  return describeHttp(cause) ?? describeDatabase(cause) ?? INTERNAL;
}

function describeHttp(error: unknown): ErrorDetails | undefined {
  const { code = '', statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  return BY_FASTIFY_CODE[code] ?? BY_STATUS[status ?? 0];
}

function describeDatabase(error: unknown): ErrorDetails | undefined {
  if (CAUSED_BY_VALUE.has(sqlState(error) ?? '')) return UNSTORABLE;
  return isDatabaseAway(error) || isStatementTimeout(error) ? UNAVAILABLE : undefined;
}

/** A path that no route has, or that has routes for the methods in `allow` only. */
function describeUnknownRoute(method: string, allow: readonly string[]): ErrorDetails {
  if (allow.length === 0 || allow.includes(method)) return NOT_FOUND;
  return {
    code: 'method_not_allowed',
    kind: 'method_not_allowed',
    title: 'Method not allowed',
    detail: `This address does not answer ${method}. It answers ${allow.join(', ')}.`,
    allow,
  };
}

/** Failures that Node's HTTP parser finds before there is a request, by its code. */
const BY_SOCKET_CODE: Readonly<Record<string, ErrorDetails>> = {
  HPE_HEADER_OVERFLOW: new HeadersTooLarge().details,
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    kind: 'timeout',
    title: 'Request timeout',
    detail: 'The request did not arrive in time.',
  },
};

export const describeSocketFailure = (code: string | undefined): ErrorDetails =>
  BY_SOCKET_CODE[code ?? ''] ?? MALFORMED;

/**
 * Global filter: Nest hands it what any guard, pipe, controller or Fastify itself threw, unknown addresses included.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('http');

  constructor(
    private readonly problems: Problems,
    private readonly routes: RouteTable,
    private readonly limiter: RateLimiter,
    private readonly forwarding: Forwarding,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    if (error instanceof KeptElsewhere)
      this.forwarding.sendOn(error, request, reply).catch((failure: unknown) => this.answer(failure, reply));
    else if (request.is404 && !(error instanceof DomainError))
      void this.answerUnknown(request).then((details) => this.problems.send(reply, details));
    else this.answer(error, reply);
  }

  private answerUnknown(request: FastifyRequest): Promise<ErrorDetails> {
    const details = (): ErrorDetails => describeUnknownRoute(request.method, this.routes.methodsOf(request.raw.url!));
    return this.limiter.spendOpen(request).then(details, describeFailure);
  }

  private answer(error: unknown, reply: FastifyReply): void {
    const details = describeFailure(error);
    if (details.kind === 'internal' || details.kind === 'unavailable') {
      this.log.error({ msg: 'request failed', request_id: publicRequestId(reply), code: details.code, err: error });
    }
    // Half a body is out already: only a cut connection tells the client that it is not whole.
    if (reply.raw.headersSent) reply.raw.destroy();
    else this.problems.send(reply, details);
  }
}

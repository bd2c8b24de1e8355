import type { ErrorKind } from '../errors/domain-error';
import { ERROR_KINDS } from '../errors/error-kinds';
import type { Response } from './types';

interface Failure {
  readonly description: string;
  /** Its most usual code, shown as the example. */
  readonly code: string;
  readonly headers?: readonly string[];
}

/** What the document says about every kind of error. Total: a new kind does not compile until it stands here. */
const FAILURES: Readonly<Record<ErrorKind, Failure>> = {
  malformed: { description: 'The request is malformed.', code: 'validation_failed' },
  unauthenticated: {
    description: 'The request has no valid API key.',
    code: 'invalid_api_key',
    headers: ['WWW-Authenticate'],
  },
  payment_required: { description: 'The money or the limits do not allow it.', code: 'insufficient_funds' },
  forbidden: { description: 'The key may not do this.', code: 'insufficient_scope' },
  not_found: {
    description: 'There is no such thing, or it is not yours, or it is of the other mode.',
    code: 'not_found',
  },
  method_not_allowed: {
    description: 'The address does not answer this method.',
    code: 'method_not_allowed',
    headers: ['Allow'],
  },
  timeout: { description: 'The request did not arrive in time.', code: 'request_timeout' },
  conflict: {
    description: 'The request clashes with what is there.',
    code: 'request_in_progress',
    headers: ['Retry-After'],
  },
  gone: { description: 'It was there once, and is no more.', code: 'reveal_gone' },
  too_large: { description: 'The body is too large.', code: 'payload_too_large' },
  unsupported_media_type: { description: 'The body is not JSON.', code: 'unsupported_media_type' },
  unprocessable: { description: 'The request is well-formed and cannot be done.', code: 'idempotency_key_reused' },
  rate_limited: { description: 'The key sends too many requests.', code: 'rate_limited', headers: ['Retry-After'] },
  headers_too_large: { description: 'The headers are too large.', code: 'headers_too_large' },
  internal: { description: 'A fault of ours.', code: 'internal_error' },
  unavailable: {
    description: 'The service cannot do this right now.',
    code: 'service_unavailable',
    headers: ['Retry-After'],
  },
};

const LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy'];

/** Entries of a `headers` object, by name. */
export const headerRefs = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** `components.responses`: one answer for every kind of error. */
export const problemResponses = (): Record<string, Response> =>
  Object.fromEntries((Object.keys(FAILURES) as ErrorKind[]).map((kind) => [nameOf(kind), problemResponse(kind)]));

/** Entries of an operation's `responses`, by status. */
export const problemRefs = (kinds: readonly ErrorKind[]): Record<string, Response> =>
  Object.fromEntries(
    kinds.map((kind) => [ERROR_KINDS[kind].status, { $ref: `#/components/responses/${nameOf(kind)}` }]),
  );

/** `not_found` → `NotFound`. */
const nameOf = (kind: ErrorKind): string =>
  kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function problemResponse(kind: ErrorKind): Response {
  const { description, headers = [] } = FAILURES[kind];
  const limits = ERROR_KINDS[kind].status < 500 ? LIMIT_HEADERS : [];
  return {
    description,
    headers: headerRefs(['Request-Id', ...limits, ...headers]),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: exampleProblem(kind) },
    },
  };
}

function exampleProblem(kind: ErrorKind): object {
  const { code, description } = FAILURES[kind];
  const title = code.replaceAll('_', ' ');
  return {
    type: `https://api.example.com/docs/errors#${code}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    status: ERROR_KINDS[kind].status,
    code,
    detail: description,
    param: null,
    errors: [],
    recovery: ERROR_KINDS[kind].recovery,
    retryable: ERROR_KINDS[kind].retryable,
    resource_id: null,
    provider: null,
    request_id: 'req_01kabcdefghjkmnpqrstvwxyz0',
  };
}

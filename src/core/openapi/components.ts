import type { ErrorKind } from '../errors/domain-error';
import { ERROR_KINDS } from '../errors/error-kinds';
import type { Response, Schema } from './types';

const CODE: Schema = { type: 'string', pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 };
const POINTER: Schema = {
  type: ['string', 'null'],
  maxLength: 4096,
  pattern: '^(/[^\\u0000]*)?$',
  description: 'JSON pointer to the field.',
};
const text = (maxLength: number, description: string): Schema => ({
  type: 'string',
  maxLength,
  pattern: '^[^\\u0000]*$',
  description,
});
const textOrNull = (maxLength: number, description: string): Schema => ({
  ...text(maxLength, description),
  type: ['string', 'null'],
});

const figure = (description: string): Schema => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: `${description} Minor units; only where it applies.`,
});

const FIELD_ERROR: Schema = {
  type: 'object',
  required: ['param', 'code', 'detail'],
  properties: {
    param: { ...POINTER, type: 'string' },
    code: CODE,
    detail: text(4096, 'What is wrong with this field.'),
  },
};

const PROVIDER: Schema = {
  type: ['object', 'null'],
  description: 'What a provider said when it refused.',
  required: ['code', 'message', 'reference'],
  properties: {
    code: textOrNull(64, "The provider's own code."),
    message: textOrNull(1024, "The provider's own words, scrubbed."),
    reference: textOrNull(128, "The provider's own id of the attempt."),
  },
};

/** RFC 9457: the body of every failure. */
const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  description: 'Why a request failed (RFC 9457). `/docs/errors` explains every code.',
  required: [
    'type',
    'title',
    'status',
    'code',
    'detail',
    'param',
    'errors',
    'recovery',
    'retryable',
    'resource_id',
    'provider',
    'request_id',
  ],
  properties: {
    type: { type: 'string', format: 'uri', maxLength: 1024, description: 'A page about the code.' },
    title: text(128, 'The same for each occurrence of the code.'),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'HTTP status.' },
    code: { ...CODE, description: 'For programs; never changes its meaning.' },
    detail: text(4096, 'What happened this time; for people.'),
    param: { ...POINTER, description: 'JSON pointer to the field at fault, if one is.' },
    errors: { type: 'array', maxItems: 100, description: 'Every fault of the fields, up to 100.', items: FIELD_ERROR },
    recovery: {
      type: 'string',
      enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'],
      description: 'Who can make the request succeed.',
    },
    retryable: { type: 'boolean', description: 'The same request with the same Idempotency-Key may be sent again.' },
    resource_id: {
      type: ['string', 'null'],
      maxLength: 64,
      pattern: '^[a-z]+_[0-9a-z]+$',
      description: 'What stands in the way.',
    },
    provider: PROVIDER,
    expected: figure('What the service expects: of `price_changed` the price.'),
    actual: figure('What the request says instead.'),
    min: figure('Of a range: the least that is taken.'),
    max: figure('Of a range: the most that is taken.'),
    request_id: {
      type: 'string',
      maxLength: 64,
      pattern: '^req_[0-9a-z]+$',
      description: 'Quote it when you ask about this failure.',
    },
  },
};

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
const problemResponses = (): Record<string, Response> =>
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

const ascii = (maxLength: number): Schema => ({ type: 'string', maxLength, pattern: '^[\\x20-\\x7e]*$' });
const header = (description: string, schema: Schema, example: unknown) => ({ description, schema, example });

const HEADERS = {
  'Request-Id': header(
    'Names this request; quote it when you ask about it.',
    { type: 'string', maxLength: 64, pattern: '^req_[0-9a-z]+$' },
    'req_01kabcdefghjkmnpqrstvwxyz0',
  ),
  RateLimit: header(
    'What is left of the limit of this key (draft-ietf-httpapi-ratelimit-headers-11).',
    ascii(256),
    '"key";r=49;t=1',
  ),
  'RateLimit-Policy': header(
    'The limit of this key: quota `q` in a window of `w` seconds.',
    ascii(256),
    '"key";q=50;w=2',
  ),
  'Retry-After': header(
    'Seconds to wait before the request is sent again.',
    { type: 'integer', format: 'int32', minimum: 0, maximum: 3600 },
    1,
  ),
  'Idempotent-Replayed': header(
    'Present when this request was carried out before and the answer shows what it made.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'Preference-Applied': header(
    'Present when `Prefer: wait=N` was heeded: the seconds that counted, 30 at most.',
    ascii(16),
    'wait=10',
  ),
  'WWW-Authenticate': header('The scheme to use.', ascii(256), 'Bearer'),
  Allow: header('The methods that the address answers.', ascii(256), 'GET, POST'),
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A new random text for each thing that you want done once; the same text when you send it again. Always send ' +
      'it when money moves. Kept 30 days.',
    schema: ascii(257),
    example: 'b7e0c2a4-7f1d-4c8e-9b53-0d4f6a1e2c3b',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N`: seconds, 0 to 30, that the answer may be held back for a final result; 10 when absent (RFC 7240).',
    schema: ascii(64),
    example: 'wait=10',
  },
};

/** What operations refer to by name. */
export const COMPONENTS = { headers: HEADERS, parameters: PARAMETERS, responses: problemResponses() };

export const COMMON_SCHEMAS = { Problem: PROBLEM_SCHEMA };

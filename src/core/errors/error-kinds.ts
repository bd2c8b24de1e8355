import type { ErrorKind, Recovery } from './domain-error';

interface KindOnTheWire {
  readonly status: number;
  /** Used when the error itself does not say. */
  readonly recovery: Recovery;
  /** The same request with the same idempotency key may be sent again. */
  readonly retryable: boolean;
}

/** HTTP status of every kind of error. Total: a new kind does not compile until it stands here. */
export const ERROR_KINDS: Readonly<Record<ErrorKind, KindOnTheWire>> = {
  malformed: { status: 400, recovery: 'caller_must_fix', retryable: false },
  unauthenticated: { status: 401, recovery: 'caller_must_fix', retryable: false },
  payment_required: { status: 402, recovery: 'account_must_act', retryable: false },
  forbidden: { status: 403, recovery: 'account_must_act', retryable: false },
  not_found: { status: 404, recovery: 'caller_must_fix', retryable: false },
  method_not_allowed: { status: 405, recovery: 'caller_must_fix', retryable: false },
  timeout: { status: 408, recovery: 'retry_later', retryable: true },
  conflict: { status: 409, recovery: 'caller_must_fix', retryable: false },
  gone: { status: 410, recovery: 'caller_must_fix', retryable: false },
  too_large: { status: 413, recovery: 'caller_must_fix', retryable: false },
  unsupported_media_type: { status: 415, recovery: 'caller_must_fix', retryable: false },
  unprocessable: { status: 422, recovery: 'caller_must_fix', retryable: false },
  rate_limited: { status: 429, recovery: 'retry_later', retryable: true },
  headers_too_large: { status: 431, recovery: 'caller_must_fix', retryable: false },
  internal: { status: 500, recovery: 'retry_later', retryable: true },
  unavailable: { status: 503, recovery: 'retry_later', retryable: true },
};

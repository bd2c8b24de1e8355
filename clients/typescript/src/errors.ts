import type { ErrorCode } from './generated/resources.gen.js';
import type { Problem } from './generated/types.gen.js';

/** One of those that are known here, or a newer one. */
export type Code = ErrorCode | (string & {});

/** The service refused. `code` never changes its meaning. */
export class DukaError<C extends Code = Code> extends Error {
  override readonly name: string = 'DukaError';
  readonly code: C;
  readonly status: number;
  readonly requestId: string | null;
  /** The same request with the same key may be sent again. */
  readonly retryable: boolean;
  readonly recovery: Problem['recovery'] | null;
  /** JSON pointer to the field at fault. */
  readonly param: string | null;
  readonly errors: Problem['errors'];
  /** What the request collided with. */
  readonly resourceId: string | null;
  readonly provider: Problem['provider'];
  /** A page about the code. */
  readonly docs: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(response: Response, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? `The answer was ${response.status}.`);
    this.code = (problem.code ?? `http_${response.status}`) as C;
    this.status = response.status;
    this.requestId = problem.request_id ?? response.headers.get('request-id');
    // Without a code it is of a proxy that did not reach the service.
    this.retryable = problem.retryable ?? (problem.code === undefined && [502, 503, 504].includes(response.status));
    this.recovery = problem.recovery ?? null;
    this.param = problem.param ?? null;
    this.errors = problem.errors ?? [];
    this.resourceId = problem.resource_id ?? null;
    this.provider = problem.provider ?? null;
    this.docs = problem.type ?? null;
    this.retryAfter = secondsOf(response.headers.get('retry-after'));
  }

  /** Narrows by code: `if (DukaError.is(error, 'insufficient_funds'))`. */
  static is<C extends ErrorCode>(error: unknown, ...codes: C[]): error is DukaError<C> {
    return error instanceof DukaError && (codes as string[]).includes(error.code);
  }
}

/** No whole answer came. Whether the request took effect is not known: send it again with `idempotencyKey`. */
export class DukaConnectionError extends Error {
  override readonly name: string = 'DukaConnectionError';

  constructor(
    message: string,
    /** The key that went with the request. */
    readonly idempotencyKey: string | null,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** No answer came within `timeoutMs`. */
export class DukaTimeoutError extends DukaConnectionError {
  override readonly name = 'DukaTimeoutError';
}

function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

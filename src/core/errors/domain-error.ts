/**
 * Who can make a refused request succeed. Part of every problem document.
 * `retry_later`: nobody needs to act; `none`: nobody can.
 */
export type Recovery = 'retry_later' | 'caller_must_fix' | 'account_must_act' | 'recipient_must_act' | 'none';

/** Every way in which a request can go wrong. `error-kinds.ts` gives each one its HTTP status: one total table. */
export type ErrorKind =
  | 'malformed'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'unavailable';

/** `expected` by the service and `actual` of the request; or the bounds of what is taken. */
export type Figures = Readonly<Partial<Record<'expected' | 'actual' | 'min' | 'max', bigint>>>;

export interface ErrorDetails {
  /** Machine-readable, stable, snake_case: the `code` of the problem document. */
  code: string;
  kind: ErrorKind;
  /** Short and the same for each occurrence of the code. */
  title: string;
  /** What happened this time. Never holds a secret, SQL, a host or a stack. */
  detail: string;
  recovery?: Recovery;
  /** The same request with the same key may be sent again. */
  retryable?: boolean;
  /** JSON pointer to the offending field. */
  param?: string | null;
  errors?: readonly FieldError[];
  /** Public id (`trf_…`) of the resource that stands in the way. */
  resourceId?: string | null;
  /** The figures that the detail speaks of, in minor units: fields of the problem document. */
  figures?: Figures;
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  /** Methods that the path has, sent as `Allow`. */
  allow?: readonly string[];
  /** What a provider said when it refused, scrubbed of secrets and hosts. */
  provider?: ProviderRefusal | null;
}

export interface ProviderRefusal {
  code: string | null;
  message: string | null;
  /** The provider's own id of the attempt. */
  reference: string | null;
}

export interface FieldError {
  /** JSON pointer, `/metadata/order`. */
  param: string;
  code: string;
  detail: string;
}

/** A refusal with a name. Services throw subclasses of it; the problem filter is the only reader. */
export class DomainError extends Error {
  constructor(
    readonly details: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(details.detail, options);
    this.name = new.target.name;
  }
}

export class InsufficientScope extends DomainError {
  constructor(scope: string) {
    super({
      code: 'insufficient_scope',
      kind: 'forbidden',
      title: 'Insufficient scope',
      detail: `This key or role lacks the scope ${scope}.`,
    });
  }
}

/** It cannot be done right now, and nobody knows of a fault of the caller's: worth the same request again. */
export class ServiceUnavailable extends DomainError {
  constructor(detail: string, options?: ErrorOptions) {
    super(
      {
        code: 'service_unavailable',
        kind: 'unavailable',
        title: 'Service unavailable',
        detail,
        retryable: true,
        retryAfter: 1,
      },
      options,
    );
  }
}

/** A field whose form is right and whose value is not. */
export class FieldRefused extends DomainError {
  constructor(param: string, detail: string, { code = 'validation_failed', title = 'Invalid request' } = {}) {
    super({ code, kind: 'malformed', title, detail, param, errors: [{ param, code, detail }] });
  }
}

export class HeadersTooLarge extends DomainError {
  constructor() {
    super({
      code: 'headers_too_large',
      kind: 'headers_too_large',
      title: 'Headers too large',
      detail: 'The headers are larger than 16 KiB.',
    });
  }
}

/** The same answer for what does not exist, belongs to another account or mode, or has a malformed id. */
export class NotFound extends DomainError {
  constructor(what: string, param: string | null = null) {
    super({ code: 'not_found', kind: 'not_found', title: 'Not found', detail: `There is no such ${what}.`, param });
  }
}

/** The same refusal of one of many: `pointer` says which. */
export function refusalAt(pointer: string, error: DomainError): DomainError {
  const { param, errors = [], ...details } = error.details;
  const at = (field: string | null | undefined): string => pointer + (field ?? '');
  return new DomainError(
    { ...details, param: at(param), errors: errors.map((each) => ({ ...each, param: at(each.param) })) },
    { cause: error },
  );
}

/** What `work` refuses is said of one of many, or of an object within the request. */
export async function refusedAt<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError ? refusalAt(pointer, error) : error;
  }
}

/** `value`, unless there is none: then 404. */
export function found<T>(value: T | null | undefined, what: string, param: string | null = null): T {
  if (value === null || value === undefined) throw new NotFound(what, param);
  return value;
}

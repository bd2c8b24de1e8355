import { DukaConnectionError, DukaError, DukaTimeoutError } from './errors.js';
import { VERSION } from './generated/resources.gen.js';
import { type Page, Pages } from './pages.js';

export interface DukaOptions {
  readonly apiKey: string;
  /** Where the service is: `https://api.example.com`. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Of each attempt; 60,000 when absent. */
  readonly timeoutMs?: number;
  /** How often a request is sent again; 3 when absent. */
  readonly maxRetries?: number;
}

export interface CallOptions {
  /** One of your own. A new one is made when absent. Retries send the same. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WaitOptions extends CallOptions {
  /** Seconds, 0 to 30, that the answer may be held back for a final result. */
  readonly wait?: number;
}

export interface DryRun {
  /** Nothing is written: the answer is what would be. */
  readonly dryRun: true;
}

/** Dry runs are asked for by an option. */
export type Wet<Body> = Body extends unknown ? Omit<Body, 'dry_run'> : never;
/** Answers are JSON here. */
export type Query<Q> = Omit<NonNullable<Q>, 'format'>;
export type ItemOf<List extends { data: unknown[] }> = List['data'][number];

interface Contents {
  readonly body?: object;
  readonly query?: object;
  readonly options?: WaitOptions & Partial<DryRun>;
}

const TIMEOUT_MS = 60_000;
const RETRIES_MAX = 3;
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 8_000;
/** Who shall come back later than that is told so. */
const RETRY_AFTER_SECONDS_MAX = 60;

export class Client {
  private readonly baseUrl: string;

  constructor(private readonly settings: DukaOptions) {
    if (!settings.apiKey) throw new TypeError('apiKey is missing');
    this.baseUrl = settings.baseUrl.replace(/\/+$/, '');
  }

  pages<T>(path: string, { query, options }: Contents): Pages<T> {
    // A list that is followed goes on with a name of its own.
    const next = query && 'order' in query && query.order === 'asc' ? 'after' : 'cursor';
    return new Pages((cursor) =>
      this.call<Page<T>>('GET', path, { query: cursor === null ? query : { ...query, [next]: cursor }, options }),
    );
  }

  async call<T>(method: string, path: string, { body, query, options = {} }: Contents): Promise<T> {
    const key = method === 'GET' ? null : (options.idempotencyKey ?? crypto.randomUUID());
    const url = this.baseUrl + path + search(query);
    const sent = options.dryRun ? { ...body, dry_run: true } : body;
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${this.settings.apiKey}`,
        accept: 'application/json',
        'user-agent': `duka-typescript/${VERSION}`,
        ...(sent && { 'content-type': 'application/json' }),
        ...(key !== null && { 'idempotency-key': key }),
        ...(options.wait !== undefined && { prefer: `wait=${options.wait}` }),
        ...options.headers,
      },
      body: sent && JSON.stringify(sent),
      redirect: 'manual',
    };
    const retriesMax = options.maxRetries ?? this.settings.maxRetries ?? RETRIES_MAX;
    for (let retries = 0; ; retries++) {
      try {
        return await this.attempt<T>(url, init, key, options);
      } catch (error) {
        if (retries >= retriesMax || !isWorthRetrying(error)) throw error;
        await pause(pauseMs(error, retries), options.signal);
      }
    }
  }

  private async attempt<T>(url: string, init: RequestInit, key: string | null, options: CallOptions): Promise<T> {
    const timeoutMs = options.timeoutMs ?? this.settings.timeoutMs ?? TIMEOUT_MS;
    options.signal?.throwIfAborted();
    const abort = new AbortController();
    const giveUp = (): void => abort.abort();
    options.signal?.addEventListener('abort', giveUp);
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      const fetch = this.settings.fetch ?? globalThis.fetch;
      const response = await fetch(url, { ...init, signal: abort.signal });
      const text = await response.text();
      if (!response.ok) throw new DukaError(response, parsed(text) ?? {});
      return JSON.parse(text) as T;
    } catch (error) {
      if (error instanceof DukaError) throw error;
      options.signal?.throwIfAborted();
      if (abort.signal.aborted) throw new DukaTimeoutError(`No answer came within ${timeoutMs} ms.`, key);
      throw new DukaConnectionError('No whole answer came.', key, { cause: error });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', giveUp);
    }
  }
}

/** Every request is safe to send again: one that changes something has its key. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DukaConnectionError) return true;
  if (!(error instanceof DukaError) || (error.retryAfter ?? 0) > RETRY_AFTER_SECONDS_MAX) return false;
  return error.retryable || error.status === 429;
}

function pauseMs(error: unknown, retries: number): number {
  const jittered = Math.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** retries);
  return (error instanceof DukaError ? (error.retryAfter ?? 0) * 1000 : 0) + jittered;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** `{ limit: 5, metadata: { order: '1' } }` → `?limit=5&metadata[order]=1`. */
function search(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([key, one]): [string, unknown] => [`${name}[${key}]`, one]);
  });
  const given = pairs.filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

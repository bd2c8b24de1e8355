import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher, ProxyAgent, request as send } from 'undici';
import { type Traced, tracing } from '../core/tracing/tracing';
import { ProviderOutage } from './breakers';
import { type Asked, Journal } from './journal';
import { Sessions, type Token } from './sessions';

const CONNECT_TIMEOUT_MS = 5_000;
/** From the request to the first byte of the answer, and between any two of its bytes. */
const SILENCE_MS = 20_000;
const IDLE_MS = 30_000;
const CONNECTIONS_MAX = 64;
/** No answer is longer, but where the call says so. */
const ANSWER_BYTES_MAX = 16 * 1_024;

/** Whoever an adapter speaks with. */
export interface Company {
  /** As in its settings. Stands in the journal. */
  readonly name: string;
  /** Paths of requests are relative to it. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `http://proxy.example.com:3128`: where companies let known addresses in only. */
  readonly proxy?: string;
  /** Files in PEM, where the company asks who connects. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly caFile?: string };
  /** Gets a token that is sent as `Authorization: Bearer`, and got anew before it ends or when it is refused. */
  readonly signIn?: (signal: AbortSignal) => Promise<Token>;
}

export interface CompanyRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the company's address: no `/` at its beginning. */
  readonly path: string;
  /** Undefined: left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** For catalogues, which are large. 16,384 when absent. */
  readonly bytesMax?: number;
  /** Asks for a token itself, and neither carries one nor is kept with its bodies. */
  readonly isSignIn?: boolean;
}

/** What a company answered, whatever the status. */
export interface CompanyAnswer {
  readonly status: number;
  /** Its JSON; null where there is none. A number that is no safe integer is its text: `19.30` is `'19.30'`. */
  readonly body: unknown;
}

/** Names in lower case. */
interface WithHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Set by whoever has an adapter ask. */
export const asking = new AsyncLocalStorage<Asked>();

/**
 * How adapters speak with companies: kept connections, limits of time and of length, no redirects (a key would go
 * along), and a journal of every exchange. An adapter has no other way out.
 */
@Injectable()
export class ProviderHttp implements OnApplicationShutdown {
  private readonly dispatchers: Dispatcher[] = [];

  constructor(
    private readonly journal: Journal,
    private readonly sessions: Sessions,
  ) {}

  /** Called once, when the adapter is made. Throws when a file of `tls` cannot be read. */
  to(company: Company): Outside {
    const dispatcher = dispatcherOf(company);
    this.dispatchers.push(dispatcher);
    return new Outside(company, dispatcher, this.journal, this.sessions);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.dispatchers.map((dispatcher) => dispatcher.destroy()));
  }
}

/** One company. */
export class Outside {
  constructor(
    private readonly company: Company,
    private readonly dispatcher: Dispatcher,
    private readonly journal: Journal,
    private readonly sessions: Sessions,
  ) {}

  /**
   * One request. Throws `ProviderOutage` when the company accepts no connection, what undici throws when an answer does
   * not come, and an error for one that is too long: nobody can say then what became of it. Where a company has tokens,
   * one that was refused is got anew, and the request sent once more: who answers 401 has done nothing.
   */
  async ask(request: CompanyRequest): Promise<CompanyAnswer & WithHeaders> {
    const { signIn, name } = this.company;
    if (signIn === undefined || request.isSignIn) return this.exchange(request);
    const token = await this.sessions.token(name, signIn, request.signal);
    const answer = await this.exchange(request, token);
    if (answer.status !== 401) return answer;
    await this.sessions.forget(name, token);
    return this.exchange(request, await this.sessions.token(name, signIn, request.signal));
  }

  private exchange(request: CompanyRequest, token?: string): Promise<CompanyAnswer & WithHeaders> {
    if (tracing.on === null) return this.send(request, token);
    const name = `${this.company.name} ${request.method ?? 'GET'}`;
    return tracing.on.run({ name, kind: 'client' }, async (step) => {
      const answer = await this.send(request, token, step);
      step?.note({ 'http.response.status_code': answer.status });
      return answer;
    });
  }

  private async send(
    request: CompanyRequest,
    token: string | undefined,
    step: Traced | null = null,
  ): Promise<CompanyAnswer & WithHeaders> {
    const { method = 'GET', path, query = {}, isSignIn = false } = request;
    const url = new URL(path, this.company.url);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    const body = bodyOf(request);
    const began = performance.now();
    const note = (status: number | null, answer: string | null, fault: string | null): void =>
      this.journal.note({
        company: this.company.name,
        asked: asking.getStore() ?? null,
        method,
        path: url.pathname + url.search,
        status,
        fault,
        durationMs: Math.round(performance.now() - began),
        request: isSignIn ? null : (body?.text ?? null),
        answer: isSignIn ? null : answer,
      });
    try {
      const response = await send(url, {
        dispatcher: this.dispatcher,
        method,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': body.type }),
          ...this.company.headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...request.headers,
          ...(step !== null && { traceparent: step.traceparent }),
        },
        body: body?.text ?? null,
        signal: request.signal,
      });
      const text = await read(response.body, request.bytesMax ?? ANSWER_BYTES_MAX);
      note(response.statusCode, text, null);
      return { status: response.statusCode, headers: response.headers, body: parseJson(text) };
    } catch (error) {
      note(null, null, nameOf(error));
      if (!isRefusedConnection(error)) throw error;
      throw new ProviderOutage(`${this.company.name} accepts no connections`, { cause: error });
    }
  }
}

function dispatcherOf({ proxy, tls }: Company): Dispatcher {
  const options = {
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    allowH2: false,
  };
  const files = tls && {
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
    ...(tls.caFile !== undefined && { ca: readFileSync(tls.caFile) }),
  };
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...files };
  return proxy === undefined
    ? new Agent({ ...options, connect })
    : new ProxyAgent({ ...options, uri: proxy, requestTls: connect });
}

function bodyOf({ json, form }: CompanyRequest): { readonly text: string; readonly type: string } | null {
  if (json !== undefined) return { text: JSON.stringify(json), type: 'application/json' };
  if (form === undefined) return null;
  return { text: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
}

/** The signal of the request covers the body, too. */
async function read(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Of numbers that a double may not hold as they were written, the text: money is made of text, never of a double. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, keepText as (key: string, value: unknown) => unknown);
  } catch {
    return null;
  }
}

/** The third argument is that of ES2025, which the types do not have yet. */
const keepText = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === 'number' && !(Number.isSafeInteger(value) && /^-?\d+$/.test(source!)) ? source : value;

const REFUSED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const isRefusedConnection = (error: unknown): boolean => REFUSED_CODES.has(nameOf(error));

function nameOf(error: unknown): string {
  const { name, code, cause } = (error ?? {}) as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  const found = [code, cause?.code, name].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found : 'Error';
}

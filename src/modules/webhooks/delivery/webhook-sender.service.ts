import { createHmac, type KeyObject } from 'node:crypto';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher } from 'undici';
import { AddressRefused, type CheckedUrl, isLinkLocal, UrlPolicy } from '../endpoints/url-policy.service';
import type { AttemptCode } from './webhook-delivery.entity';

/** What is posted, complete but for its destination. */
export interface Message {
  /** Public id of the event: the receiver drops repeats by it. */
  readonly id: string;
  readonly type: string;
  /** JSON, signed as it is. */
  readonly body: string;
  /** Signing keys, the newest first: during a rotation both sign. */
  readonly secrets: readonly KeyObject[];
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly traceparent: string | null;
  /** What its endpoint is sent along; none of our own names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where it goes, and what is allowed of it. */
export interface Destination {
  readonly url: string;
  readonly livemode: boolean;
}

/** What came of one attempt. */
export interface Attempted {
  readonly code: AttemptCode;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** Of the request, but for the values of the endpoint's own; null when none was made. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** At most 16 kB; null when there was none. */
  readonly responseBody: string | null;
  /** `Retry-After` of a 429 or 503, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** `webhook-delivery` header of the receiver. */
  readonly control: 'disable' | 'abort-message' | null;
}

/** What is signed: the body as it goes over the wire, bound to its event and to the moment of the attempt. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** `webhook-signature` of Standard Webhooks 1.0.0: one signature for each key, separated by spaces. */
export function signatureOf({ id, timestamp, body }: Signed, keys: readonly KeyObject[]): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

type Answer = Parameters<LookupFunction>[2];

const CONNECTIONS_PER_ORIGIN_MAX = 128;
const IDLE_MS = 4_000;
/** Whatever a receiver asks for with `Keep-Alive`. */
const IDLE_MAX_MS = 30_000;
/** A name is looked up again at least so often. */
const CONNECTION_AGE_MAX_MS = 60_000;

/** Names of the machine itself are allowed here, so it is the machine that is asked. */
const answerButLinkLocal: LookupFunction = (hostname, options, answer) =>
  lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [{ address: found }] : (found ?? []);
    if (error === null && addresses.some(({ address }) => isLinkLocal(address))) answer(new AddressRefused(), []);
    else answer(error, found, family);
  });

function agentWith(connect: { timeout: number; lookup?: LookupFunction }): Agent {
  return new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN_MAX,
    clientTtl: CONNECTION_AGE_MAX_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    // The sender's own limit spans all of an attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Of a body this much is read and kept. */
const BODY_BYTES_MAX = 16 * 1_024;

/** What of a receiver's answer counts. */
export interface ReceiverAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Longer than anybody waits. */
const SECONDS_MAX = 1_000_000_000;
const MAY_SAY_WHEN = [429, 503];
const CONTROLS = ['disable', 'abort-message'] as const;
const NAMED: Readonly<Record<number, AttemptCode>> = { 410: 'gone', 429: 'rate_limited' };

export function codeOf(status: number): AttemptCode {
  if (status >= 200 && status < 300) return 'ok';
  if (status >= 300 && status < 400) return 'redirect';
  return NAMED[status] ?? 'http_error';
}

/**
 * Seconds from `now` (ms since 1970) to what `Retry-After` of a 429 or 503 says, be it a number or a date; null when it
 * says nothing.
 */
export function retryAfterSecondsOf({ statusCode, headers }: ReceiverAnswer, now: number): number | null {
  const value = headers['retry-after']?.toString().trim();
  if (value === undefined || !MAY_SAY_WHEN.includes(statusCode)) return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value), SECONDS_MAX);
  // A date begins with the name of its day: `Date.parse` alone would also read `-5` and `2`.
  const time = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(Math.max(Math.ceil((time - now) / 1_000), 0), SECONDS_MAX);
}

/** What the receiver asks for in `webhook-delivery`. */
export function controlOf({ headers }: ReceiverAnswer): Attempted['control'] {
  const value = headers['webhook-delivery']?.toString().trim().toLowerCase();
  return CONTROLS.find((control) => control === value) ?? null;
}

const HIDDEN = '••••';
const HEADERS_MAX = 40;
const HEADER_VALUE_MAX = 512;
/** What a receiver says to whoever logs in there is nobody else's. */
const CREDENTIALS = ['set-cookie', 'authorization', 'proxy-authorization', 'authentication-info'];

const hidden = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

const shownOf = ({ headers }: Message, progress: Progress): Record<string, string> | null =>
  progress.headers && { ...progress.headers, ...hidden(headers) };

/** What is kept of an answer's headers. */
function keptHeaders(headers: ReceiverAnswer['headers']): Record<string, string> {
  const kept = Object.entries(headers).slice(0, HEADERS_MAX);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name.slice(0, HEADER_VALUE_MAX),
      CREDENTIALS.includes(name.toLowerCase()) ? HIDDEN : String(value).slice(0, HEADER_VALUE_MAX),
    ]),
  );
}

/** The body as text that PostgreSQL can store, at most `BODY_BYTES_MAX` long; null when there is none. */
export function textOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  // Bytes that are not UTF-8 grow when they are replaced: the limit holds for what is kept.
  const text = Buffer.from(body.toString('utf8').replaceAll('\0', '\uFFFD'));
  return new StringDecoder('utf8').write(text.subarray(0, BODY_BYTES_MAX));
}

type ReceiverUrl = Extract<CheckedUrl, { fault: null }>;

/** What an attempt has brought so far. */
interface Progress {
  /** Ours of the request. */
  headers: Record<string, string> | null;
  response: Dispatcher.ResponseData | null;
  body: Buffer;
}

/**
 * Posts one message once: signs it now, keeps to the addresses that are allowed, follows nothing. Connections to
 * receivers stay open for the next message; those that may be private are never lent to a guarded one.
 */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  /** From the look-up of the name to the end of the answer. */
  timeoutMs = 15_000;
  /** Name, connection and TLS together; less than an attempt may take. */
  connectTimeoutMs = 10_000;
  private guarded?: Agent;
  private open?: Agent;

  constructor(private readonly policy: UrlPolicy) {}

  /** After the workers, which end in an earlier step. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.guarded?.destroy(), this.open?.destroy()]);
  }

  /**
   * Never throws; takes `timeoutMs` at most. A receiver that is away, closed, or speaks something else is the same
   * `connection_failed`.
   */
  async send(message: Message, { url, livemode }: Destination, timeoutMs = this.timeoutMs): Promise<Attempted> {
    const startedAt = performance.now();
    const checked = this.policy.read(url, livemode);
    const progress: Progress = { headers: null, response: null, body: Buffer.alloc(0) };
    const code = checked.fault ?? (await this.post(message, checked, { progress, timeoutMs }));
    return {
      code,
      durationMs: Math.round(performance.now() - startedAt),
      requestHeaders: code === 'address_refused' ? null : shownOf(message, progress),
      ...factsOf(progress),
    };
  }

  private async post(
    message: Message,
    { url: { origin, pathname, search }, allowPrivate }: ReceiverUrl,
    { progress, timeoutMs }: { readonly progress: Progress; readonly timeoutMs: number },
  ): Promise<AttemptCode> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const headers = headersOf(message);
    progress.headers = headers;
    try {
      progress.response = await this.connectionsTo({ allowPrivate }).request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...message.headers, ...headers },
        body: message.body,
        signal: limit.signal,
      });
      await readBody(progress);
      return codeOf(progress.response.statusCode);
    } catch (error) {
      if (error instanceof AddressRefused) return 'address_refused';
      return limit.signal.aborted ? 'timeout' : 'connection_failed';
    } finally {
      clearTimeout(timer);
    }
  }

  private connectionsTo({ allowPrivate }: { allowPrivate: boolean }): Agent {
    const timeout = this.connectTimeoutMs;
    if (allowPrivate) return (this.open ??= agentWith({ timeout, lookup: answerButLinkLocal }));
    return (this.guarded ??= agentWith({
      timeout,
      lookup: (hostname, { all = false }, answer) => void this.answerPublic(hostname, all, answer),
    }));
  }

  /** The only look-up of a connection: what is checked here is what the socket connects to. */
  private async answerPublic(hostname: string, all: boolean, answer: Answer): Promise<void> {
    const addresses = await this.policy.publicAddressesOf(hostname).catch((error: Error) => error);
    if (addresses instanceof Error) return answer(addresses, []);
    const [first] = addresses;
    return all ? answer(null, addresses) : answer(null, first!.address, first!.family);
  }
}

function headersOf({ id, type, body, secrets, attempt, traceparent }: Message): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Duka-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
    'webhook-event-type': type,
    'webhook-attempt': String(attempt),
    ...(traceparent !== null && { traceparent }),
  };
}

/** Ends early, and with it the connection, once there is more than is kept. */
async function readBody(progress: Progress): Promise<void> {
  const { body } = progress.response!;
  // The iterator no longer listens when a connection breaks after it was left.
  body.on('error', () => undefined);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    progress.body = Buffer.concat([progress.body, chunk]);
    if (progress.body.length > BODY_BYTES_MAX) return;
  }
}

type Facts = Omit<Attempted, 'code' | 'durationMs' | 'requestHeaders'>;

const NO_FACTS: Facts = {
  httpStatus: null,
  responseHeaders: null,
  responseBody: null,
  retryAfterSeconds: null,
  control: null,
};

function factsOf({ response, body }: Progress): Facts {
  if (response === null) return NO_FACTS;
  return {
    httpStatus: response.statusCode,
    responseHeaders: keptHeaders(response.headers),
    responseBody: textOf(body),
    retryAfterSeconds: retryAfterSecondsOf(response, Date.now()),
    control: controlOf(response),
  };
}

import { StringDecoder } from 'node:string_decoder';
import type { AttemptCode, Attempted } from './webhooks.types';

/** Of a body this much is read and kept. */
export const BODY_BYTES_MAX = 16 * 1_024;

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

/** Seconds from `now` (ms since 1970) to what `Retry-After` of a 429 or 503 says, be it a number or a date; null when it says nothing. */
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

/** The body as text that PostgreSQL can store, at most `BODY_BYTES_MAX` long; null when there is none. */
export function textOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  // Bytes that are not UTF-8 grow when they are replaced: the limit holds for what is kept.
  const text = Buffer.from(body.toString('utf8').replaceAll('\0', '\uFFFD'));
  return new StringDecoder('utf8').write(text.subarray(0, BODY_BYTES_MAX));
}

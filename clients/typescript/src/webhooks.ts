import type { EventObjects } from './generated/resources.gen.js';
import type { Event, EventData } from './generated/types.gen.js';

interface EventOf<Type extends keyof EventObjects> extends Omit<Event, 'type' | 'data'> {
  readonly type: Type;
  readonly data: Omit<EventData, 'object'> & { object: EventObjects[Type] & { previous_status?: string | null } };
}

/** An event by its `type`. Newer services may send types that are not known here. */
export type WebhookEvent = { [Type in keyof EventObjects]: EventOf<Type> }[keyof EventObjects];

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now; 300 when absent. */
  readonly toleranceSeconds?: number;
}

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: 'missing_header' | 'too_old' | 'too_new' | 'wrong_signature',
    message: string,
  ) {
    super(message);
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * The event, if it was signed with one of the secrets (Standard Webhooks 1.0.0). `rawBody`: the very bytes that came.
 * Two secrets: while one is replaced by the other.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    valueOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !/^\d+$/.test(timestamp) || !signatures)
    throw new WebhookVerificationError('missing_header', 'A header of the webhook is missing or malformed.');
  const ageSeconds = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('too_old', 'The webhook is too old.');
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError('too_new', 'The webhook is of the future.');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const candidates = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => bytesOf(one.slice(3)));
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret);
    for (const candidate of candidates)
      // Compares in constant time.
      if (candidate && (await crypto.subtle.verify('HMAC', key, candidate, signed)))
        return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  }
  throw new WebhookVerificationError('wrong_signature', 'No signature of the webhook is by a secret that is known.');
}

/** The headers that sign a body as the service signs what it delivers: for tests of a receiver. */
export async function signWebhook(
  rawBody: string,
  { id, secret, at = new Date() }: { readonly id: string; readonly secret: string; readonly at?: Date },
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${rawBody}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signed));
  const base64 = btoa(String.fromCharCode(...signature));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${base64}` };
}

interface Versioned {
  readonly data: { readonly object: object };
}

const versionOf = (object: object): number | undefined =>
  'version' in object && typeof object.version === 'number' ? object.version : undefined;

/** Whether the object of an event is newer than the copy that is kept of it. */
export function isNewer(kept: object | null | undefined, event: Versioned): boolean {
  if (kept === null || kept === undefined) return true;
  return (versionOf(event.data.object) ?? -1) > (versionOf(kept) ?? -1);
}

/** Lets each version of an object through once, and none behind a newer one. Remembers in memory. */
export class EventOrder {
  private readonly kept = new Map<string, { version: number | undefined }>();

  /** False: drop the event. */
  accept(event: Versioned): boolean {
    const { object } = event.data;
    // What has no id is nothing that changes.
    if (!('id' in object) || typeof object.id !== 'string') return true;
    if (!isNewer(this.kept.get(object.id), event)) return false;
    this.kept.set(object.id, { version: versionOf(object) });
    return true;
  }
}

function valueOf(headers: WebhookHeaders, name: string): string | null | undefined {
  if (typeof Headers !== 'undefined' && headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1] as
    | string
    | string[]
    | undefined;
  return Array.isArray(found) ? found.join(' ') : found;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('A secret of a webhook is whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

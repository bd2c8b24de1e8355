import { createHmac, createSecretKey, generateKeySync, type KeyObject } from 'node:crypto';

/** What is signed: the body as it goes over the wire, bound to its event and to the moment of the attempt. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Bounds of Standard Webhooks. */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

const NEW_KEY_BITS = 256;

export const newKey = (): KeyObject => generateKeySync('hmac', { length: NEW_KEY_BITS });

/** A signing key as its owner sees it. */
export function formatSecret(key: KeyObject): string {
  return PREFIX + key.export().toString('base64');
}

/** The signing key of a `whsec_…`; null when it is none. */
export function parseSecret(text: string): KeyObject | null {
  const encoded = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !BASE64.test(encoded)) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? createSecretKey(key) : null;
}

/** `webhook-signature` of Standard Webhooks 1.0.0: one signature for each key, separated by spaces. */
export function signatureOf({ id, timestamp, body }: Signed, keys: readonly KeyObject[]): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

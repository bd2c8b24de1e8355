import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newId, slotOf } from './ids';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(sk_(?:live|test|platform)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type KeyKind = 'live' | 'test' | 'platform';

/** `sk_test_`, the three digits of its account's slot, 29 random base62 characters, 6 of a checksum. */
export function makeApiKey(kind: KeyKind, accountId = newId()): string {
  const random = Array.from({ length: 29 }, () => BASE62[randomInt(62)]).join('');
  const body = `sk_${kind}_${slotOf(accountId)}${random}`;
  return body + checksum(body);
}

/** Of its account. */
export const slotOfKey = (key: string): string => /^sk_[a-z]+_(.{0,3})/s.exec(key)?.[1] ?? '';

/** True for a key that is spelled right: a typing error is refused before any look-up. */
export function isWellFormedApiKey(text: string): boolean {
  const [, body, sum] = KEY.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** What is stored instead of a key. */
export function hashApiKey(key: string, form?: 'buffer'): Buffer;
export function hashApiKey(key: string, form: 'base64'): string;
export function hashApiKey(key: string, form: 'buffer' | 'base64' = 'buffer'): Buffer | string {
  return hash('sha256', key, form);
}

/** CRC-32 as six base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

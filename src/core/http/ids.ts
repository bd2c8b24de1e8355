import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { base32ToUuid, uuidToBase32 } from './typeid';

/** What a public id names: `wal_01h2…` is a wallet. */
export type IdPrefix =
  | 'acct'
  | 'key'
  | 'wal'
  | 'trf'
  | 'txn'
  | 'cus'
  | 'crd'
  | 'ctx'
  | 'pay'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'val'
  | 'req'
  | 'cat'
  | 'bst'
  | 'usr'
  | 'mem'
  | 'ses'
  | 'aud';

// Random bytes are fetched for 256 ids at a time: one system call per id would cost more than the rest of it.
const RANDOM_BYTES = 16;
const pool = new Uint8Array(256 * RANDOM_BYTES);
let poolUsed = pool.length;
let msecs = 0;
let seq = 0;

/** A new UUIDv7; ids made by one process are strictly increasing. */
export function newId(): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const random = pool.subarray(poolUsed, (poolUsed += RANDOM_BYTES));
  const now = Date.now();
  // Within a millisecond the counter goes on from a random 31-bit start; its field has 32.
  seq = now > msecs ? (random[0]! << 23) | (random[1]! << 15) | (random[2]! << 7) : seq + 1;
  msecs = Math.max(now, msecs);
  return v7({ random, msecs, seq });
}

/** Stored uuid → public TypeID: a prefix, `_`, 26 characters of base32. */
export const encodeId = (prefix: IdPrefix, uuid: string): string => `${prefix}_${uuidToBase32(uuid)}`;

/** Public TypeID → stored uuid; null for anything malformed or of another prefix. */
export const decodeId = (prefix: IdPrefix, text: string): string | null =>
  text.startsWith(`${prefix}_`) ? base32ToUuid(text.slice(prefix.length + 1)) : null;

/** When a UUIDv7 was made, to the millisecond. Rows that never change carry no other creation time. */
export const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** The smallest UUIDv7 of a moment: turns a bound on time into a bound on ids. */
export function lowestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** Above every id: where a list that starts at the newest begins. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

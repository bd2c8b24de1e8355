import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { IdPrefix } from '../../vocabulary/id-prefixes';

// The suffix of a TypeID (specification 0.3): the 128 bits of a uuid, high bits first, as 26 characters of Crockford's
// base32 in lower case. Our own, because every transfer needs eight of them and the library takes 1.2 to 1.9 µs for
// each; the specification's vectors and the library itself are its test.

const BASE32 = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');
const HEX = Buffer.from('0123456789abcdef');
const DASH = 0x2d;
const NONE = 255;

const valuesOf = (alphabet: Buffer): Uint8Array => {
  const values = new Uint8Array(256).fill(NONE);
  alphabet.forEach((character, value) => (values[character] = value));
  return values;
};
const HEX_VALUES = valuesOf(HEX);
const BASE32_VALUES = valuesOf(BASE32);

/** 26 characters hold 130 bits: the first two are always zero, so the first character is at most 7. */
const SUFFIX_LENGTH = 26;
const SPARE_BITS = 2;

const suffix = Buffer.alloc(SUFFIX_LENGTH);
const uuid = Buffer.alloc(36);
const raw = new Uint8Array(16);

/**
 * `01890a5d-ac96-774b-bcce-b302099a8057` → `01h455vb4pex5vsknk084sn02q`. Takes the canonical form in lower case only.
 */
function uuidToBase32(text: string): string {
  let bits = 0;
  let waiting = SPARE_BITS;
  let at = 0;
  for (let i = 0; i < 36; i++) {
    const character = text.charCodeAt(i);
    if (character === DASH) continue;
    bits = ((bits << 4) | HEX_VALUES[character]!) & 0xff;
    waiting += 4;
    if (waiting < 5) continue;
    waiting -= 5;
    suffix[at++] = BASE32[(bits >> waiting) & 31]!;
  }
  return suffix.toString('latin1');
}

/** The way back; null for anything that `uuidToBase32` does not make. */
function base32ToUuid(text: string): string | null {
  if (text.length !== SUFFIX_LENGTH || text.charCodeAt(0) > 0x37) return null;
  let bits = 0;
  let waiting = -SPARE_BITS;
  let at = 0;
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    const value = BASE32_VALUES[text.charCodeAt(i) & 0xff]!;
    if (value === NONE || text.charCodeAt(i) > 0x7f) return null;
    bits = ((bits << 5) | value) & 0xfff;
    for (waiting += 5; waiting >= 4; waiting -= 4) {
      if (at === 8 || at === 13 || at === 18 || at === 23) uuid[at++] = DASH;
      uuid[at++] = HEX[(bits >> (waiting - 4)) & 15]!;
    }
  }
  return uuid.toString('latin1');
}

/** Where the two digits of each of the 16 bytes of a uuid stand. */
const BYTES_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** Writes the 16 bytes of a uuid in canonical form. */
export function writeUuid(text: string, into: Uint8Array, start: number): void {
  for (let i = 0; i < BYTES_AT.length; i++) {
    const at = BYTES_AT[i]!;
    into[start + i] = (HEX_VALUES[text.charCodeAt(at)]! << 4) | HEX_VALUES[text.charCodeAt(at + 1)]!;
  }
}

/** In canonical form, in one piece: the library's are put together from twenty, which whoever reads them first pays. */
function textOfUuid(bytes: Uint8Array): string {
  for (let i = 0; i < BYTES_AT.length; i++) {
    const at = BYTES_AT[i]!;
    uuid[at] = HEX[bytes[i]! >> 4]!;
    uuid[at + 1] = HEX[bytes[i]! & 15]!;
  }
  uuid[8] = uuid[13] = uuid[18] = uuid[23] = DASH;
  return uuid.toString('latin1');
}

// Random bytes are fetched for 256 ids at a time: one system call per id would cost more than the rest of it.
const RANDOM_BYTES = 16;
const pool = new Uint8Array(256 * RANDOM_BYTES);
let poolUsed = pool.length;
let msecs = 0;
let seq = 0;

/** An account's place among 4,096: the last three hexadecimal digits of its id, and of the ids of all that it owns. */
export const slotOf = (accountId: string): string => accountId.slice(-3);

/** Accounts of different lanes never write on the same row, but by transfers between them. */
export const laneOf = (accountId: string, lanes: number): number => slotNumber(slotOf(accountId)) % lanes;

export const slotNumber = (slot: string): number => parseInt(slot, 16);

/** A new UUIDv7 of something that belongs to no account; ids made by one process are strictly increasing. */
export function newId(): string {
  return textOfUuid(v7(nextTurn(), raw));
}

/**
 * Likewise of something that belongs to an account, in whose slot it is: an id says where it is kept. `owner`: the id
 * of the account, or of anything else of it.
 */
export function newIdOf(owner: string): string {
  const turn = nextTurn();
  const { random } = turn;
  random[14] = (random[14]! & 0xf0) | HEX_VALUES[owner.charCodeAt(33)]!;
  random[15] = (HEX_VALUES[owner.charCodeAt(34)]! << 4) | HEX_VALUES[owner.charCodeAt(35)]!;
  return textOfUuid(v7(turn, raw));
}

/** A secret that opens something of an account, for links and cookies: its slot, 240 random bits; 43 characters. */
export const makeToken = (accountId: string): string => slotOf(accountId) + randomBytes(30).toString('base64url');

function nextTurn(): { random: Uint8Array; msecs: number; seq: number } {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const random = pool.subarray(poolUsed, (poolUsed += RANDOM_BYTES));
  const now = Date.now();
  // Within a millisecond the counter goes on from a random 31-bit start; its field has 32.
  seq = now > msecs ? (random[0]! << 23) | (random[1]! << 15) | (random[2]! << 7) | (random[3]! >>> 1) : seq + 1;
  msecs = Math.max(now, msecs);
  return { random, msecs, seq };
}

/** Stored uuid → public TypeID: a prefix, `_`, 26 characters of base32. */
export const encodeId = (prefix: IdPrefix, uuid: string): string => `${prefix}_${uuidToBase32(uuid)}`;

/** Public TypeID → stored uuid; null for anything malformed or of another prefix. */
export const decodeId = (prefix: IdPrefix, text: string): string | null =>
  text.startsWith(`${prefix}_`) ? base32ToUuid(text.slice(prefix.length + 1)) : null;

/** The bits that a part of an id's suffix stands for, as text of zeros and ones; null for what is no such part. */
export function bitsOfIdPart(part: string): string | null {
  const values = Array.from(part, (character) => BASE32.indexOf(character));
  if (part === '' || part.length > SUFFIX_LENGTH || values.includes(-1)) return null;
  return values.map((value) => value.toString(2).padStart(5, '0')).join('');
}

/** When a UUIDv7 was made, to the millisecond. Rows that never change carry no other creation time. */
export const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** The smallest UUIDv7 of a moment: turns a bound on time into a bound on ids. */
export function lowestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** Below every id: where what goes from the oldest on begins. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Above every id: where a list that starts at the newest begins. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

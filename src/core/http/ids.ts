import { randomBytes, randomFillSync } from 'node:crypto';
import type { IdPrefix } from '../../vocabulary/id-prefixes';

// The suffix of a TypeID (specification 0.3): the 128 bits of a uuid, high bits first, as 26 characters of Crockford's
// base32 in lower case. Our own, because every transfer needs eight of them and the library takes 1.2 to 1.9 µs for
// each; the specification's vectors and the library itself are its test. Each text is made in one piece, of the codes
// of its characters: one that is put together is measured and copied again by whoever reads it first.

const codesOf = (text: string): number[] => Array.from(Buffer.from(text));
const BASE32 = codesOf('0123456789abcdefghjkmnpqrstvwxyz');
const HEX = codesOf('0123456789abcdef');
const UNDERSCORE = 0x5f;
const SEVEN = 0x37;
const NONE = 255;

const valuesOf = (alphabet: readonly number[]): Uint8Array => {
  const values = new Uint8Array(256).fill(NONE);
  alphabet.forEach((character, value) => (values[character] = value));
  return values;
};
const HEX_VALUES = valuesOf(HEX);
const BASE32_VALUES = valuesOf(BASE32);

/** 26 characters hold 130 bits: the first two are always zero, so the first character is at most 7. */
const SUFFIX_LENGTH = 26;
const SPARE_BITS = 2;

/** Where each four digits of a uuid in canonical form begin. */
const GROUPS_AT = [0, 4, 9, 14, 19, 24, 28, 32] as const;
const GROUP_BITS = 16;

function readGroup(text: string, at: number): number {
  const [a, b] = [HEX_VALUES[text.charCodeAt(at)]!, HEX_VALUES[text.charCodeAt(at + 1)]!];
  const [c, d] = [HEX_VALUES[text.charCodeAt(at + 2)]!, HEX_VALUES[text.charCodeAt(at + 3)]!];
  return (a << 12) | (b << 8) | (c << 4) | d;
}

const uuid = codesOf('00000000-0000-0000-0000-000000000000');

/** Of `bits` the last 16. */
function writeGroup(at: number, bits: number): void {
  uuid[at] = HEX[(bits >>> 12) & 15]!;
  uuid[at + 1] = HEX[(bits >>> 8) & 15]!;
  uuid[at + 2] = HEX[(bits >>> 4) & 15]!;
  uuid[at + 3] = HEX[bits & 15]!;
}

/** Of each prefix an id, to be written over. */
const publicIds = new Map<string, number[]>();

function publicIdOf(prefix: string): number[] {
  let id = publicIds.get(prefix);
  if (id === undefined) publicIds.set(prefix, (id = codesOf(`${prefix}_`.padEnd(prefix.length + 1 + SUFFIX_LENGTH))));
  return id;
}

/**
 * Stored uuid → public TypeID: a prefix, `_`, 26 characters of base32. Takes the canonical form in lower case only.
 * `01890a5d-ac96-774b-bcce-b302099a8057` of `txn` → `txn_01h455vb4pex5vsknk084sn02q`.
 */
export function encodeId(prefix: IdPrefix, stored: string): string {
  const id = publicIdOf(prefix);
  let at = prefix.length + 1;
  let bits = 0;
  let waiting = SPARE_BITS;
  for (const group of GROUPS_AT) {
    bits = (bits << GROUP_BITS) | readGroup(stored, group);
    for (waiting += GROUP_BITS; waiting >= 5;) {
      waiting -= 5;
      id[at++] = BASE32[(bits >>> waiting) & 31]!;
    }
  }
  return String.fromCharCode(...id);
}

/** Public TypeID → stored uuid; null for anything that `encodeId` does not make of the prefix. */
export function decodeId(prefix: IdPrefix, text: string): string | null {
  const start = prefix.length + 1;
  if (text.length !== start + SUFFIX_LENGTH || !text.startsWith(prefix)) return null;
  if (text.charCodeAt(prefix.length) !== UNDERSCORE || text.charCodeAt(start) > SEVEN) return null;
  let bits = 0;
  let waiting = -SPARE_BITS;
  let group = 0;
  for (let at = start; at < text.length; at++) {
    const value = BASE32_VALUES[text.charCodeAt(at)] ?? NONE;
    if (value === NONE) return null;
    bits = (bits << 5) | value;
    waiting += 5;
    if (waiting < GROUP_BITS) continue;
    waiting -= GROUP_BITS;
    writeGroup(GROUPS_AT[group++]!, bits >>> waiting);
  }
  return String.fromCharCode(...uuid);
}

/** Where the two digits of each of the 16 bytes of a uuid stand. */
const BYTES_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** Writes the 16 bytes of a uuid. Throws RangeError for any text but the canonical form in lower case. */
export function writeUuid(text: string, into: Uint8Array, start: number): void {
  for (let i = 0; i < BYTES_AT.length; i++) {
    const at = BYTES_AT[i]!;
    const [high, low] = [HEX_VALUES[text.charCodeAt(at)]!, HEX_VALUES[text.charCodeAt(at + 1)]!];
    if (!(high < 16 && low < 16)) throw new RangeError('A uuid must be in canonical form.');
    into[start + i] = (high << 4) | low;
  }
}

// Random words are fetched for 256 ids at a time: one system call per id would cost more than the rest of it.
const RANDOM_WORDS = 3;
const pool = new Uint32Array(256 * RANDOM_WORDS);
let poolUsed = pool.length;
let msecs = 0;
let seq = 0;

const SLOT_DIGITS = 3;

/** An account's place among 4,096: the last three hexadecimal digits of its id, and of the ids of all that it owns. */
export const slotOf = (accountId: string): string => accountId.slice(-SLOT_DIGITS);

/** Accounts of different lanes never write on the same row, but by transfers between them. */
export const laneOf = (accountId: string, lanes: number): number => slotNumber(slotOf(accountId)) % lanes;

export const slotNumber = (slot: string): number => parseInt(slot, 16);

/** A new UUIDv7 of something that belongs to no account; ids made by one process are strictly increasing. */
export function newId(): string {
  writeNext();
  return String.fromCharCode(...uuid);
}

/**
 * Likewise of something that belongs to an account, in whose slot it is: an id says where it is kept. `owner`: the id
 * of the account, or of anything else of it.
 */
export function newIdOf(owner: string): string {
  writeNext();
  for (let at = uuid.length - SLOT_DIGITS; at < uuid.length; at++)
    uuid[at] = HEX[HEX_VALUES[owner.charCodeAt(at)]! & 15]!;
  return String.fromCharCode(...uuid);
}

/** A secret that opens something of an account, for links and cookies: its slot, 240 random bits; 43 characters. */
export const makeToken = (accountId: string): string => slotOf(accountId) + randomBytes(30).toString('base64url');

/** RFC 9562: 48 bits of time, version 7, a counter of 32 bits around the variant, 42 random bits. */
function writeNext(): void {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const [start, middle, end] = [pool[poolUsed]!, pool[poolUsed + 1]!, pool[poolUsed + 2]!];
  poolUsed += RANDOM_WORDS;
  const now = Date.now();
  // Within a millisecond the counter goes on from a random 31-bit start; its field has 32.
  seq = now > msecs ? start >>> 1 : seq + 1;
  msecs = Math.max(now, msecs);
  writeGroup(0, Math.floor(msecs / 2 ** 32));
  writeGroup(4, Math.floor(msecs / 2 ** 16));
  writeGroup(9, msecs);
  writeGroup(14, 0x7000 | (seq >>> 20));
  writeGroup(19, 0x8000 | ((seq >>> 6) & 0x3fff));
  writeGroup(24, (seq << 10) | (middle & 0x3ff));
  writeGroup(28, end >>> 16);
  writeGroup(32, end);
}

/** The bits that a part of an id's suffix stands for, as text of zeros and ones; null for what is no such part. */
export function bitsOfIdPart(part: string): string | null {
  const values = Array.from(part, (character) => BASE32.indexOf(character.charCodeAt(0)));
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

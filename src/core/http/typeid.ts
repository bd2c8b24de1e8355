// The suffix of a TypeID (specification 0.3): the 128 bits of a uuid, high bits first, as 26 characters of Crockford's
// base32 in lower case. Our own, because every transfer needs eight of them and the library takes 1.2 to 1.9 µs for each;
// the specification's vectors and the library itself are its test.

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

/** `01890a5d-ac96-774b-bcce-b302099a8057` → `01h455vb4pex5vsknk084sn02q`. Takes the canonical form in lower case only. */
export function uuidToBase32(text: string): string {
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
export function base32ToUuid(text: string): string | null {
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

/** Writes the 16 bytes of a uuid in canonical form. */
export function writeUuid(text: string, into: Uint8Array, start: number): void {
  let at = start;
  let high = NONE;
  for (let i = 0; i < 36; i++) {
    const character = text.charCodeAt(i);
    if (character === DASH) continue;
    const value = HEX_VALUES[character]!;
    if (high === NONE) {
      high = value;
    } else {
      into[at++] = (high << 4) | value;
      high = NONE;
    }
  }
}

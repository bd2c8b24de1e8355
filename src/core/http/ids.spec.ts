import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { ID_PREFIXES } from '../../vocabulary/id-prefixes';
import { makeApiKey } from './api-key';
import { decodeId, encodeId, lowestIdAt, makeToken, newId, newIdOf, slotOf, timeOf, writeUuid } from './ids';

const prefix = fc.constantFrom(...ID_PREFIXES);
const bits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const base32 = fc.constantFrom(...BASE32);

const uuidOf = (number: bigint): string =>
  number
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

/** Node has digits for 32, but others. */
const suffixOf = (number: bigint): string =>
  Array.from(number.toString(32).padStart(26, '0'), (digit) => BASE32[Number.parseInt(digit, 32)]).join('');

function readSlowly(suffix: string): string | null {
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(suffix)) return null;
  return uuidOf(Array.from(suffix).reduce((number, digit) => number * 32n + BigInt(BASE32.indexOf(digit)), 0n));
}

describe('ids', () => {
  it('are strictly increasing and unique', () => {
    const ids = Array.from({ length: 100_000 }, newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
  });

  it('are in the slot of their owner, increasing and unique too', () => {
    const owner = newId();
    const ids = Array.from({ length: 10_000 }, () => newIdOf(owner));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(slotOf))).toEqual(new Set([slotOf(owner)]));
    expect(slotOf(newIdOf(ids[0]!))).toBe(slotOf(owner));
    for (const secret of [makeApiKey('test', owner).slice('sk_test_'.length), makeToken(owner)])
      expect(secret.slice(0, 3)).toBe(slotOf(owner));
  });

  it('spread accounts over all slots', () => {
    expect(new Set(Array.from({ length: 100_000 }, () => slotOf(newId()))).size).toBe(4_096);
  });

  it('carry their time', () => {
    const before = Date.now();
    const at = timeOf(newId()).getTime();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(timeOf(lowestIdAt(new Date('2026-02-28T01:02:03.456Z'))).toISOString()).toBe('2026-02-28T01:02:03.456Z');
  });

  // The example of the TypeID specification.
  it('look like TypeIDs outside', () => {
    expect(encodeId('txn', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('txn_01h455vb4pex5vsknk084sn02q');
    expect(decodeId('txn', 'txn_01h455vb4pex5vsknk084sn02q')).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  });

  it('agree with the library', () => {
    for (const uuid of [
      ...Array.from({ length: 2_000 }, newId),
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]) {
      const id = TypeID.fromUUID('txn', uuid).toString();
      expect(encodeId('txn', uuid)).toBe(id);
      expect(decodeId('txn', id)).toBe(uuid);
    }
  });

  it('are their bits as a number, written with 32 digits, and back', () => {
    fc.assert(
      fc.property(prefix, bits, (of, number) => {
        const id = encodeId(of, uuidOf(number));
        expect(id).toBe(`${of}_${suffixOf(number)}`);
        expect(decodeId(of, id)).toBe(uuidOf(number));
      }),
    );
  });

  it('are digits only, whatever they are said to belong to', () => {
    const ids = ['', 'all', 'ALL', 'F'.repeat(36), '\0'.repeat(36)].map(newIdOf);
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)));
  });

  it('are written as their 16 bytes, and nothing else is', () => {
    const bytes = Buffer.alloc(18, 1);
    writeUuid('01890a5d-ac96-774b-bcce-b302099a8057', bytes, 1);
    expect(bytes.toString('hex')).toBe('0101890a5dac96774bbcceb302099a805701');
    for (const other of [
      '',
      'all',
      newId().slice(1),
      '01890A5D-AC96-774B-BCCE-B302099A8057',
      newId().replace(/.$/, 'g'),
      '\u0130'.repeat(36),
    ])
      expect(() => writeUuid(other, bytes, 0)).toThrow('canonical');
  });

  it('are read only as they are written', () => {
    const near = fc
      .tuple(fc.string({ unit: base32, minLength: 26, maxLength: 26 }), fc.nat(27), fc.string())
      .map(([text, at, other]) => [text, text.slice(0, at) + other + text.slice(at + other.length), other]);
    fc.assert(
      fc.property(prefix, near, (of, suffixes) => {
        for (const suffix of suffixes) expect(decodeId(of, `${of}_${suffix}`)).toBe(readSlowly(suffix));
      }),
    );
  });

  it.each([
    '',
    'txn_',
    'wal_01h455vb4pex5vsknk084sn02q',
    'txn-01h455vb4pex5vsknk084sn02q',
    'txn_81h455vb4pex5vsknk084sn02q',
    'txn_01H455VB4PEX5VSKNK084SN02Q',
    'txn_01h455vb4pex5vsknk084sn02u',
    'TXN_01h455vb4pex5vsknk084sn02q',
    'txn_01h455vb4pex5vsknk084sn02\u0130',
    'txn_01h455vb4pex5vsknk084sn02q ',
  ])('are nothing when malformed: %s', (text) => expect(decodeId('txn', text)).toBeNull());
});

import { timeOf } from '../../core/http/ids';

// VTpass refuses an id that does not begin with the day's date in Lagos (085), and knows an order by nothing else: it
// must be the same whenever the order is repeated or asked about. So it is made of the reference alone: the minute
// that a UUIDv7 was made in, then all of its 128 bits. No secret has a part in it: those change.
//
//   202611251105  +  03hau3160q9eor4mui00kn4bv
//   YYYYMMDDHHmm     the uuid in base 36, 25 characters

const LAGOS_AHEAD_MS = 60 * 60_000;
const UUID_DIGITS = 25;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const REQUEST_ID = /^(\d{12})([0-9a-z]{25})$/;

/** `YYYYMMDDHHmm` in Lagos, which is an hour ahead of UTC all year. */
export const lagosMinute = (time: Date): string =>
  new Date(time.getTime() + LAGOS_AHEAD_MS).toISOString().replace(/\D/g, '').slice(0, 12);

/** What an order of ours is called there. Throws for what is no UUIDv7. */
export function requestIdOf(reference: string): string {
  if (!UUID_V7.test(reference)) throw new Error('a reference that is no UUIDv7 makes no request id');
  const digits = BigInt(`0x${reference.replaceAll('-', '')}`).toString(36);
  return lagosMinute(timeOf(reference)) + digits.padStart(UUID_DIGITS, '0');
}

/** Ours that they call so; null for what `requestIdOf` does not make. */
export function referenceOf(requestId: string): string | null {
  const [, , digits] = REQUEST_ID.exec(requestId) ?? [];
  if (digits === undefined) return null;
  let bits = 0n;
  for (const digit of digits) bits = bits * 36n + BigInt('0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(digit));
  const hex = bits.toString(16).padStart(32, '0');
  const reference = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return UUID_V7.test(reference) && requestIdOf(reference) === requestId ? reference : null;
}

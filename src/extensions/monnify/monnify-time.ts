/** Lagos: where Monnify gives no offset, its clocks show this one. */
const LAGOS = '+01:00';
const HALF_DAY_MS = 12 * 3_600_000;

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
const SPOKEN = /^(\d\d)\/(\d\d)\/(\d{4}) (\d{1,2})(:\d\d:\d\d)(?: (AM|PM))?$/;

/**
 * Monnify writes `2026-06-27T08:32:49.000+00:00`, `2021-11-17 11:28:42.615`, `29/06/2023 01:20:18 PM` and `30/08/2023
 * 5:13:57 PM`. Null for anything else. Whole seconds.
 */
export function timeOf(text: unknown): Date | null {
  if (typeof text !== 'string') return null;
  const [, date, time, offset = LAGOS] = ISO.exec(text) ?? [];
  if (date !== undefined) return dateOf(`${date}T${time}${offset.replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`);
  const [, day, month, year, given = '', rest, half] = SPOKEN.exec(text) ?? [];
  if (year === undefined) return null;
  const hour = given.padStart(2, '0');
  return dateOf(`${year}-${month}-${day}T${hour}${rest}${LAGOS}`, shiftOf(hour, half));
}

/** 12:03 AM is three minutes past midnight, 12:03 PM past noon. */
function shiftOf(hour: string, half: string | undefined): number {
  if (half === 'PM' && hour !== '12') return HALF_DAY_MS;
  return half === 'AM' && hour === '12' ? -HALF_DAY_MS : 0;
}

function dateOf(iso: string, shiftMs = 0): Date | null {
  const at = new Date(Date.parse(iso) + shiftMs);
  return at.toString() === 'Invalid Date' ? null : at;
}

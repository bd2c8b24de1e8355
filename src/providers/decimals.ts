import { type Currency, decimalsOf, fromMajor } from '../core/money/money';

/** Both roundings of a decimal to the minor unit: some companies count in more places. Null for what is no amount. */
export function minorOf(amount: unknown, currency: Currency): { readonly down: bigint; readonly up: bigint } | null {
  if (typeof amount !== 'string' && typeof amount !== 'number') return null;
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,20}))?$/.exec(String(amount)) ?? [];
  if (whole === undefined) return null;
  const places = decimalsOf(currency);
  const kept = fraction.slice(0, places);
  const down = fromMajor(kept === '' ? whole : `${whole}.${kept}`, currency);
  return down === null ? null : { down, up: /[1-9]/.test(fraction.slice(places)) ? down + 1n : down };
}

/** A number in JSON with exactly these digits. */
export const numberOf = (digits: string): object => raw.rawJSON(digits);

/** Of ES2025, which the types do not have yet. */
const raw = JSON as unknown as { rawJSON(text: string): object };

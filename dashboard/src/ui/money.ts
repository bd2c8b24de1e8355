/** Decimal places of the currencies that do not have two. Our own table, as in the service: Intl disagrees with ISO 4217. */
const EXPONENTS: Readonly<Record<string, number>> = { XOF: 0, XAF: 0, UGX: 0, RWF: 0, TND: 3, LYD: 3 };

export const CURRENCIES = [
  'NGN',
  'KES',
  'GHS',
  'ZAR',
  'USD',
  'EUR',
  'GBP',
  'TZS',
  'ZMW',
  'XOF',
  'XAF',
  'UGX',
  'RWF',
  'TND',
  'LYD',
] as const;
export type Currency = (typeof CURRENCIES)[number];

const exponentOf = (currency: string): number => EXPONENTS[currency] ?? 2;

/** "1,250.5" of NGN is 125050; null for what is not an amount above zero. */
export function toMinor(text: string, currency: string): number | null {
  return toUnits(text, exponentOf(currency)) || null;
}

/** As `toMinor`, of an amount that may be zero. */
export const toMinorOrZero = (text: string, currency: string): number | null => toUnits(text, exponentOf(currency));

const BASIS_POINTS_MAX = 10_000;

/** "1.5" percent are 150 basis points; null for what is not a percentage. */
export function toBasisPoints(text: string): number | null {
  const points = toUnits(text, 2);
  return points !== null && points <= BASIS_POINTS_MAX ? points : null;
}

/** By its digits, never by arithmetic with fractions. */
function toUnits(text: string, places: number): number | null {
  const match = /^(\d{1,13})(?:\.(\d*))?$/.exec(text.replaceAll(/[,\s]/g, ''));
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > places) return null;
  const units = BigInt(whole + fraction.padEnd(places, '0'));
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : null;
}

/** 125050 of NGN is "NGN 1,250.50". */
export const moneyText = (minor: number | bigint, currency: string): string =>
  `${currency} ${amountText(minor, currency)}`;

/** The same of a sum, which may be more than a number holds: null. */
export const sumText = (minor: number | null, currency: string): string =>
  minor !== null && Number.isSafeInteger(minor)
    ? moneyText(minor, currency)
    : `more than ${moneyText(Number.MAX_SAFE_INTEGER, currency)}`;

/** 125050 of NGN is "1,250.50", as a form takes it. */
export const amountText = (minor: number | bigint, currency: string): string => unitsText(minor, exponentOf(currency));

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const THOUSANDS: Readonly<Record<string, string>> = { K: 'k', M: 'm', B: 'bn', T: 'tn' };

/** 120000000 of NGN is "1.2m": for the axis of a chart, where the whole amount has no room. */
export const compactText = (minor: number, currency: string): string =>
  COMPACT.format(minor / 10 ** exponentOf(currency)).replace(/[KMBT]$/, (letter) => THOUSANDS[letter] ?? letter);

/** 150 basis points are "1.50", as a form takes it. */
export const percentText = (basisPoints: number): string => unitsText(basisPoints, 2);

function unitsText(units: number | bigint, places: number): string {
  const digits = String(units)
    .replace('-', '')
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = places > 0 ? `.${digits.slice(-places)}` : '';
  return `${units < 0 ? '−' : ''}${whole}${fraction}`;
}

/** Decimal places of the currencies that do not have two. Our own table, as in the service: Intl disagrees with ISO 4217. */
const EXPONENTS: Readonly<Record<string, number>> = { XOF: 0, XAF: 0, UGX: 0, RWF: 0, TND: 3, LYD: 3 };

export const CURRENCIES = ['NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD'] as const;
export type Currency = (typeof CURRENCIES)[number];

const exponentOf = (currency: string): number => EXPONENTS[currency] ?? 2;

/** "1,250.5" of NGN is 125050; null for what is not an amount above zero. By its digits, never by arithmetic with fractions. */
export function toMinor(text: string, currency: string): number | null {
  const match = /^(\d{1,13})(?:\.(\d*))?$/.exec(text.replaceAll(/[,\s]/g, ''));
  const [, whole = '', fraction = ''] = match ?? [];
  const exponent = exponentOf(currency);
  if (!match || fraction.length > exponent) return null;
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return minor > 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : null;
}

/** 125050 of NGN is "NGN 1,250.50". */
export function moneyText(minor: number, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = Math.abs(minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = exponent > 0 ? `.${digits.slice(-exponent)}` : '';
  return `${currency} ${minor < 0 ? '−' : ''}${whole}${fraction}`;
}

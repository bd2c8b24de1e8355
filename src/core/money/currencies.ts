/**
 * Decimal places between the major and the minor unit, 2 for NGN (kobo), 0 for XOF: our own table, as Intl disagrees
 * with ISO 4217 for some currencies.
 */
export const EXPONENTS = {
  NGN: 2,
  KES: 2,
  GHS: 2,
  ZAR: 2,
  USD: 2,
  EUR: 2,
  GBP: 2,
  TZS: 2,
  ZMW: 2,
  XOF: 0,
  XAF: 0,
  UGX: 0,
  RWF: 0,
  TND: 3,
  LYD: 3,
} as const;

/** ISO 4217 code of a currency that the service knows. */
export type Currency = keyof typeof EXPONENTS;

export const CURRENCIES = Object.keys(EXPONENTS) as readonly Currency[];

export const isCurrency = (value: unknown): value is Currency =>
  typeof value === 'string' && Object.hasOwn(EXPONENTS, value);

/**
 * Decimal places between the major and the minor unit, 2 for NGN (kobo), 0 for XOF: our own table, as Intl disagrees
 * with ISO 4217 for some currencies.
 */
const EXPONENTS = {
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

/** Decimal places between the major and the minor unit: 2 for NGN, 0 for XOF. */
export const decimalsOf = (currency: Currency): number => EXPONENTS[currency];

/** An amount in minor units (kobo, cents) of one currency. There is no constructor from a float. */
export interface Money {
  readonly amount: bigint;
  readonly currency: Currency;
}

/** The largest amount and the largest wallet balance: what a JSON number holds exactly (2^53 − 1 minor units). */
export const AMOUNT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** The largest amount of test money in one go: what there is of it is counted, too. */
export const TEST_AMOUNT_MAX = 10 ** 12;

const isJsonNumber = (amount: bigint): boolean => amount <= AMOUNT_MAX && amount >= -AMOUNT_MAX;

/** A bigint of minor units as a JSON number; throws rather than round. */
export function toJsonNumber(amount: bigint): number {
  if (!isJsonNumber(amount)) throw new RangeError(`${amount} does not fit a JSON number`);
  return Number(amount);
}

/** Of many amounts, which each are a JSON number, the sum; null where that is none: a text, or they, tell it then. */
export const sumToJsonNumber = (sum: bigint): number | null => (isJsonNumber(sum) ? Number(sum) : null);

/**
 * Minor units of a decimal text as companies write it: `'19.30'` of NGN is `1930n`. Null for what is no such amount:
 * a sign, an exponent, or digits below the minor unit that are not zero.
 */
export function fromMajor(text: unknown, currency: Currency): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(String(text)) ?? [];
  if (whole === undefined || (typeof text !== 'string' && typeof text !== 'number')) return null;
  const exponent: number = EXPONENTS[currency];
  if (/[1-9]/.test(fraction.slice(exponent))) return null;
  return BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
}

/** Makes another display text from the usual one. */
export type DisplayFilter = (text: string, money: Money) => string;

const displayFilters: DisplayFilter[] = [];

/**
 * Has every display text pass through `filter` until the returned function is called. Of several the last one counts.
 */
export function filterDisplay(filter: DisplayFilter): () => void {
  displayFilters.push(filter);
  return () => {
    if (displayFilters.includes(filter)) displayFilters.splice(displayFilters.indexOf(filter), 1);
  };
}

/** `{amount: 105000n, currency: 'NGN'}` → `NGN 1,050.00`. For people; never parsed back. */
export function displayMoney(money: Money): string {
  const text = usualDisplay(money);
  const filter = displayFilters.at(-1);
  return filter === undefined ? text : filter(text, money);
}

const usualDisplay = (money: Money): string => `${money.currency} ${decimalText(money, ',')}`;

/** `{amount: 105000n, currency: 'NGN'}` → `1050.00`, with `,` between thousands where that is the separator. */
export function decimalText({ amount, currency }: Money, separator: '' | ',' = ''): string {
  const exponent: number = EXPONENTS[currency];
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, separator);
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`;
  return `${amount < 0n ? '-' : ''}${whole}${fraction}`;
}

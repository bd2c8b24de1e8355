import { type Currency, decimalsOf } from '../../core/money/money';

/** Decimal places of a rate. */
const PLACES = 18;
const ONE = 10n ** BigInt(PLACES);
const BASIS_POINTS = 10_000n;
const RATE = /^(\d{1,12})(?:\.(\d{1,18}))?$/;

/**
 * How many units of one currency one unit of another is worth, in units of 10⁻¹⁸: exact, and never a float. What is
 * lost by rounding is lost to whoever converts.
 */
export type Rate = bigint;

/** `1550.25` as a rate; null for anything that is no decimal number above 0. */
export function rateFrom(text: string): Rate | null {
  const [, whole, fraction = ''] = RATE.exec(text) ?? [];
  if (whole === undefined) return null;
  const rate = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return rate > 0n ? rate : null;
}

/** A rate as a decimal number without needless zeros. */
export function rateText(rate: Rate): string {
  const digits = rate.toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return digits.slice(0, -PLACES) + (fraction && `.${fraction}`);
}

/** The rate of the way back, rounded down: there and back is never worth more than before. */
export const inverseOf = (rate: Rate): Rate => (ONE * ONE) / rate;

/** What one unit is worth of another one, when it is known how many of each go for the same; rounded down. */
export const worthIn = (base: Rate, quote: Rate): Rate => (quote * ONE) / base;

/** What is left of a rate when `basisPoints` are kept of it. */
export const withSpread = (rate: Rate, basisPoints: number): Rate =>
  (rate * (BASIS_POINTS - BigInt(basisPoints))) / BASIS_POINTS;

interface Pair {
  readonly from: Currency;
  readonly to: Currency;
}

/** Numerator and denominator by which minor units of `from` become those of `to`. */
const ratioOf = (rate: Rate, { from, to }: Pair): [bigint, bigint] => [
  rate * 10n ** BigInt(decimalsOf(to)),
  ONE * 10n ** BigInt(decimalsOf(from)),
];

/** What is bought for `sold`, in minor units, rounded down. */
export function boughtFor(sold: bigint, rate: Rate, pair: Pair): bigint {
  const [up, down] = ratioOf(rate, pair);
  return (sold * up) / down;
}

/** What must be sold to buy `bought`, in minor units, rounded up. */
export function soldFor(bought: bigint, rate: Rate, pair: Pair): bigint {
  const [up, down] = ratioOf(rate, pair);
  return (bought * down + up - 1n) / up;
}

/** What is held or owed is worth, in minor units, rounded towards zero. */
export const valueOf = (amount: bigint, rate: Rate, pair: Pair): bigint =>
  amount < 0n ? -boughtFor(-amount, rate, pair) : boughtFor(amount, rate, pair);

import fc from 'fast-check';
import { CURRENCIES } from '../../core/money/money';
import { boughtFor, inverseOf, rateFrom, rateText, soldFor, withSpread } from './rate';

const currency = fc.constantFrom(...CURRENCIES);
const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
/** From 0.000001 to a million, with up to 18 decimal places. */
const rate = fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n });
const spread = fc.integer({ min: 0, max: 5_000 });

describe('a rate', () => {
  it.each([
    ['1550', '1550'],
    ['1550.250', '1550.25'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['007.10', '7.1'],
  ])('%s is %s', (text, shown) => expect(rateText(rateFrom(text)!)).toBe(shown));

  it.each(['', '0', '0.0', '-1', '1e3', '1,5', ' 1', '.5', '5.', '0x1', '1.0000000000000000001', '1234567890123'])(
    '%j is none',
    (text) => expect(rateFrom(text)).toBeNull(),
  );

  it('is read as it is shown', () => {
    fc.assert(fc.property(rate, (each) => rateFrom(rateText(each)) === each));
  });
});

it('minor units follow the decimals of either currency', () => {
  expect(boughtFor(1_000n, rateFrom('1542.25')!, { from: 'USD', to: 'NGN' })).toBe(1_542_250n);
  expect(boughtFor(1_000n, rateFrom('605.5')!, { from: 'USD', to: 'XOF' })).toBe(6_055n);
  expect(boughtFor(6_055n, rateFrom('0.0165')!, { from: 'XOF', to: 'TND' })).toBe(99_907n);
  expect(soldFor(100_000n, rateFrom('1542.25')!, { from: 'USD', to: 'NGN' })).toBe(65n);
});

it('there and back is never worth more than before, whatever is kept, and whichever side is named', () => {
  fc.assert(
    fc.property(rate, spread, spread, amount, currency, currency, (mid, there, back, sold, from, to) => {
      const [out, home] = [withSpread(mid, there), withSpread(inverseOf(mid), back)];
      const bought = boughtFor(sold, out, { from, to });
      expect(boughtFor(bought, home, { from: to, to: from })).toBeLessThanOrEqual(sold);
      // Buying back what was sold takes at least what it brought.
      fc.pre(home > 0n);
      expect(soldFor(sold, home, { from: to, to: from })).toBeGreaterThanOrEqual(bought);
    }),
    { numRuns: 10_000 },
  );
});

it('rounding takes less than one minor unit, from whoever converts', () => {
  fc.assert(
    fc.property(rate, amount, currency, currency, (each, named, from, to) => {
      const pair = { from, to };
      const bought = boughtFor(named, each, pair);
      // One minor unit more would cost more than was paid, and what was paid covers what was bought.
      expect(soldFor(bought, each, pair)).toBeLessThanOrEqual(named);
      expect(soldFor(bought + 1n, each, pair)).toBeGreaterThan(named);
      const sold = soldFor(named, each, pair);
      expect(boughtFor(sold, each, pair)).toBeGreaterThanOrEqual(named);
      expect(boughtFor(sold - 1n, each, pair)).toBeLessThan(named);
    }),
    { numRuns: 10_000 },
  );
});

import { displayMoney, filterDisplay, fromMajor, type Money, sumToJsonNumber } from './money';

const NAIRA: Money = { amount: -105_000n, currency: 'NGN' };

it('shows an amount with the digits of its currency', () => {
  const texts = (
    [
      [105_000n, 'NGN'],
      [5n, 'NGN'],
      [-1n, 'USD'],
      [1_234_567n, 'XOF'],
      [1_234_567n, 'TND'],
      [0n, 'KES'],
    ] as const
  ).map(([amount, currency]) => displayMoney({ amount, currency }));
  expect(texts).toEqual(['NGN 1,050.00', 'NGN 0.05', 'USD -0.01', 'XOF 1,234,567', 'TND 1,234.567', 'KES 0.00']);
});

it('asks the filter that was installed last, until it is removed', () => {
  const removeFirst = filterDisplay((text) => `${text}!`);
  const removeSecond = filterDisplay((text, { amount }) => `${text} (${amount})`);
  expect(displayMoney(NAIRA)).toBe('NGN -1,050.00 (-105000)');
  removeFirst();
  expect(displayMoney(NAIRA)).toBe('NGN -1,050.00 (-105000)');
  removeSecond();
  removeSecond();
  expect(displayMoney(NAIRA)).toBe('NGN -1,050.00');
});

it('shows a sum as a number only where one holds it', () => {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  const shown = [0n, max, -max, max + 1n, -max - 1n].map(sumToJsonNumber);
  expect(shown).toEqual([0, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, null, null]);
});

describe('an amount as companies write it', () => {
  it.each([
    ['19.30', 'NGN', 1_930n],
    ['19.3', 'NGN', 1_930n],
    ['0.01', 'USD', 1n],
    [500, 'NGN', 50_000n],
    ['500.0000', 'NGN', 50_000n],
    ['1200', 'XOF', 1_200n],
    ['1.234', 'TND', 1_234n],
  ] as const)('%s of %s is %s minor units', (text, currency, amount) => expect(fromMajor(text, currency)).toBe(amount));

  it.each(['', '-1', '+1', '1e3', '1,000', '19.305', ' 1', '.5', '5.', null, undefined, {}, true, ['5'], 'NaN'])(
    '%j is none',
    (text) => expect(fromMajor(text, 'NGN')).toBeNull(),
  );

  it('has no fraction where the currency has none', () => expect(fromMajor('12.5', 'XOF')).toBeNull());
});

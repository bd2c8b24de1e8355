import { displayMoney, filterDisplay, type Money } from './money';

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

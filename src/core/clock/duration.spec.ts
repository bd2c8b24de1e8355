import { durationMs } from './duration';

it.each([
  ['0s', 0],
  ['20s', 20_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
])('reads %s', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

it.each(['', '5', 's', '-1s', '1.5s', '1d', '1s ', ' 1s', '1S', '9999999999s'])('does not read "%s"', (text) => {
  expect(durationMs(text)).toBeNull();
});

import { AccountTime, durationMs } from './clock';

const at = (ms: number): Date => new Date(ms);

/** Moved by 100 at 1000, by 100 more at 2000, reset at 3000, moved by 5000 at 4000. */
const TIMES = new AccountTime([
  { at: 1_000, offsetMs: 100 },
  { at: 2_000, offsetMs: 200 },
  { at: 3_000, offsetMs: 0 },
  { at: 4_000, offsetMs: 5_000 },
]);

it.each([
  [999, 999],
  [1_000, 1_100],
  [1_999, 2_099],
  [2_000, 2_200],
  [2_999, 3_199],
  [3_000, 3_000],
  [4_000, 9_000],
])('%i was shown as %i', (real, shown) => {
  expect(TIMES.shown(at(real))).toEqual(at(shown));
});

it.each([
  ['before every move', 500, 500, 500],
  ['in a time that a move jumped over', 1_050, 1_000, 1_000],
  ['between two moves', 1_500, 1_400, 1_400],
  ['in a time that was shown twice, as a reset brought it back', 3_100, 2_900, 3_100],
  ['after the reset', 3_500, 3_500, 3_500],
  ['in the last jump', 6_000, 4_000, 4_000],
  ['after the last move', 9_500, 4_500, 4_500],
])('%s: from the first real time, before the last', (_, shown, from, before) => {
  expect([TIMES.from(at(shown)), TIMES.before(at(shown))]).toEqual([at(from), at(before)]);
});

it.each([1, 50, 2_500])('both bounds hold every real time that is shown within %i, whatever was reset', (length) => {
  const steps = Array.from({ length: 200 }, (_, i) => i * 50);
  for (const from of steps) {
    const [first, last] = [TIMES.from(at(from)), TIMES.before(at(from + length))];
    const within = steps.map(at).filter((real) => +TIMES.shown(real) >= from && +TIMES.shown(real) < from + length);
    expect(within.filter((real) => real < first || real >= last)).toEqual([]);
  }
});

it('turns every stored time of an answer, but those that the clock stamped, and leaves the answer itself', () => {
  const body = {
    created_at: at(1_500),
    expires_at: at(1_500),
    list: [{ updated_at: at(2_500), count: 1 }],
    none: null,
  };
  expect(TIMES.present(body)).toEqual({
    created_at: at(1_600),
    expires_at: at(1_500),
    list: [{ updated_at: at(2_700), count: 1 }],
    none: null,
  });
  expect(body.created_at).toEqual(at(1_500));
});

describe('durationMs', () => {
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
});

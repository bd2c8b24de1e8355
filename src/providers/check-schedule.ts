const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Waits before somebody outside is asked again what became of a matter, from the answer before. */
export const CHECK_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  24 * HOUR,
];

/** Share of a delay that chance may add, so that somebody who comes back is not asked everything at once. */
const JITTER = 0.1;

/** The wait before the next question when so many were asked; past the end of the list it stays at the last. */
export function checkDelayMs(checksMade: number, random = Math.random()): number {
  const delay = CHECK_DELAYS_MS[Math.min(checksMade, CHECK_DELAYS_MS.length - 1)]!;
  return Math.round(delay * (1 + JITTER * random));
}

/** After all the questions of the list only a person can decide. No clock gives money back or takes it. */
export const needsPerson = (checksMade: number): boolean => checksMade >= CHECK_DELAYS_MS.length;

const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** All times of the page are UTC, like the API's. */
export const timeText = (at: string | null | undefined): string => (at ? `${SHORT.format(new Date(at))} UTC` : '–');

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `aheadMs`: how far the clock that `at` is of is ahead. */
export function agoText(at: string | null | undefined, aheadMs = 0): string {
  if (!at) return 'never';
  const ms = Date.parse(at) - Date.now() - aheadMs;
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? ['second', 1_000];
  return RELATIVE.format(Math.round(ms / size), unit);
}

/** A day of a date field, as the start of it in UTC. */
export const dayStart = (day: string | undefined): string | undefined => (day ? `${day}T00:00:00.000Z` : undefined);

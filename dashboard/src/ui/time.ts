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

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make one takes a thousand times as long as to use it. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([locale, options]);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(name, format);
  return format;
}

/** "25 Nov 2026, 18:42:07" by the clocks of a zone. */
export const timeTextIn = (timeZone: string, at: string): string =>
  formatOf('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));

/** "25 Nov, 18:42", where there is little room; with its year where that is another one. */
export function shortTimeIn(timeZone: string, at: string): string {
  const date = new Date(at);
  const year = date.getUTCFullYear() === new Date().getUTCFullYear() ? undefined : 'numeric';
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return formatOf('en-GB', { timeZone, year, ...parts }).format(date);
}

/** How far the clocks of a zone are ahead of UTC in a moment. */
function aheadOfUtc(ms: number, timeZone: string): number {
  const there = formatOf('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);
  return Date.parse(`${there.replace(' ', 'T')}Z`) - Math.floor(ms / 1_000) * 1_000;
}

/** When a day begins by the clocks of a zone; `later`: so many days later. Undefined for what is no day since 1970. */
export function dayStartIn(timeZone: string, day: string | undefined, later = 0): string | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`) + later * 86_400_000;
  if (Number.isNaN(midnight) || midnight < 0) return undefined;
  // Twice: between midnight in UTC and midnight there, the clocks may have been changed.
  const near = midnight - aheadOfUtc(midnight, timeZone);
  return new Date(midnight - aheadOfUtc(near, timeZone)).toISOString();
}

/** Which day it is by the clocks of a zone, as a date field writes it. */
export const todayIn = (timeZone: string): string => formatOf('sv-SE', { timeZone, dateStyle: 'short' }).format();

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-01 10:30:00`, by the clocks of a time zone. */
export function localTime(at: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  // To make one takes a thousand times as long as to use it.
  if (format === undefined)
    formats.set(
      timeZone,
      (format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })),
    );
  return format.format(at);
}

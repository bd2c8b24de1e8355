const DURATION = /^(\d{1,9})(s|m|h)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `20s`, `5m` or `2h` in milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

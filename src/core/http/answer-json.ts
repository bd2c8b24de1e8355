import { LRUCache } from 'lru-cache';

const DAY_MS = 86_400_000;
/** A day is worked out for the first of its times only. */
const days = new LRUCache<number, string>({
  max: 1_000,
  memoMethod: (day) => new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length),
});

const numbersOf = (digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, '0'));
const TWO_DIGITS = numbersOf(2);
const THREE_DIGITS = numbersOf(3);

/** As `toJSON` of the time, which takes nine times as long. */
function timeText(time: Date): string | null {
  const ms = time.getTime();
  if (Number.isNaN(ms)) return null;
  const day = Math.floor(ms / DAY_MS);
  const ofDay = ms - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hour = TWO_DIGITS[Math.floor(minutes / 60)]!;
  const minute = TWO_DIGITS[minutes % 60]!;
  const second = TWO_DIGITS[seconds % 60]!;
  return `${days.memo(day)}${hour}:${minute}:${second}.${THREE_DIGITS[ofDay % 1_000]!}Z`;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The same with texts for times; itself where it has none. What is no plain object, list or time is left as it is. */
function withTexts(value: object): unknown {
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind === Date.prototype) return timeText(value as Date);
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value;
  if (kind === Array.prototype) return (value as unknown[]).map((item) => (isObject(item) ? withTexts(item) : item));
  return kind === Object.prototype ? fieldsWithTexts(value as Record<string, unknown>) : value;
}

function fieldsWithTexts(fields: Record<string, unknown>): object {
  let shown = fields;
  for (const name in fields) {
    const value = fields[name];
    if (!isObject(value)) continue;
    const text = withTexts(value);
    if (text === value) continue;
    if (shown === fields) shown = { ...fields };
    shown[name] = text;
  }
  return shown;
}

/**
 * Writes the bodies of answers, to the byte as `JSON.stringify` does. It leaves its fast way for the whole object at
 * the first time, which it must ask for its text: here times are texts before.
 */
export const answerJson = (body: unknown): string => JSON.stringify(isObject(body) ? withTexts(body) : body);

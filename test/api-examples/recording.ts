import type { RecordedCall } from '../../src/core/openapi/examples';
import { ID_PREFIXES } from '../../src/vocabulary/id-prefixes';

const ID = new RegExp(`\\b(${ID_PREFIXES.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`, 'g');
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
/** When the first recorded answer was given, as readers see it. */
const BEGAN = Date.parse('2026-11-01T09:30:00.000Z');
/** No year of ours: a bound that a request gave. */
const FIXED_TIME = /^(2099|2026-01-01|1990)/;
/** Texts that are new in each run, and what readers see instead. The secret is the published example of Standard Webhooks. */
const SHOWN: readonly (readonly [RegExp, string])[] = [
  [/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/"next_cursor":"[^"]+"/g, '"next_cursor":"bmV4dC1wYWdl"'],
  [/http:[^"]+(\/cards\/reveal|\/checkout)\/[\w-]+/g, 'http://localhost:3000$1/one-time-token'],
];

/** The same calls with ids, times and secrets of their own, so that a recording is the same whenever it is made. */
export function settled(calls: readonly RecordedCall[]): RecordedCall[] {
  const ids = new Map<string, string>();
  const shownId = (id: string, prefix: string) => {
    const known = ids.get(id) ?? `${prefix}_01kabcdefghjkmnpqrstvwx${digits(ids.size)}`;
    ids.set(id, known);
    return known;
  };
  const began = Date.now();
  const shownTime = (text: string) =>
    FIXED_TIME.test(text)
      ? text
      : new Date(BEGAN + Math.round((Date.parse(text) - began) / 60_000) * 60_000).toISOString();
  const text = SHOWN.reduce((sofar, [random, shown]) => sofar.replace(random, shown), JSON.stringify(calls));
  return JSON.parse(text.replace(ID, shownId).replace(TIME, shownTime)) as RecordedCall[];
}

const digits = (count: number) => [1024, 32, 1].map((unit) => BASE32[Math.floor(count / unit) % 32]).join('');

/** Ids of a recording and what they are in a new run: learnt from pairs of answers. */
export class Translation {
  private readonly ids = new Map<string, string>();

  learn(recorded: unknown, answered: unknown): void {
    if (typeof recorded === 'string' && typeof answered === 'string') {
      if (recorded.match(ID)?.[0] === recorded) this.ids.set(recorded, answered);
    } else if (typeof recorded === 'object' && recorded !== null && typeof answered === 'object' && answered !== null) {
      for (const [name, value] of Object.entries(recorded))
        this.learn(value, (answered as Record<string, unknown>)[name]);
    }
  }

  of<T>(request: T): T {
    return JSON.parse(JSON.stringify(request).replace(ID, (id) => this.ids.get(id) ?? id)) as T;
  }
}

/** Names and kinds of all values: two answers of one shape differ in nothing that a client reads by name. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return ['list'];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, name === 'metadata' ? null : shapeOf(part)]),
  );
}

import type { EventDto } from './event.dto';

/** Receivers and what stands before them often refuse more. */
export const BODY_BYTES_MAX = 20_000;

/** What stays of a field that is left out: its type. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  return Array.isArray(value) ? [] : {};
}

const isLarge = (value: unknown): boolean => (typeof value === 'object' && value !== null) || typeof value === 'string';

/**
 * An event as JSON that is not too large. The largest fields of its object are emptied until it fits, and `data.omitted`
 * names them: whoever needs them fetches the object.
 */
export function fitBody(event: EventDto): string {
  const whole = JSON.stringify(event);
  if (Buffer.byteLength(whole) <= BODY_BYTES_MAX) return whole;
  const object: Record<string, unknown> = { ...event.data.object };
  const sizeOf = (name: string): number => Buffer.byteLength(JSON.stringify(object[name]));
  const largest = Object.keys(object)
    .filter((name) => isLarge(object[name]))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const omitted: string[] = [];
  for (const name of largest) {
    omitted.push(name);
    object[name] = emptied(object[name]);
    const body = JSON.stringify({ ...event, data: { object, omitted } });
    if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body;
  }
  return JSON.stringify({ ...event, data: { object: {}, omitted: ['*'] } });
}

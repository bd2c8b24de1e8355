import { EVENT_TYPES, type EventType } from '../../core/outbox/event-types';
import type { EventPattern } from './webhooks.types';

/** Made by `POST /v4/webhooks/:id/test` for one endpoint: nobody listens to it. */
export const TEST_EVENT = 'webhook_endpoint.test' satisfies EventType;

const LISTENED: readonly EventType[] = EVENT_TYPES.filter((type) => type !== TEST_EVENT);

/** Resources that can be listened to before their first event exists. */
const ANNOUNCED = ['card.*', 'card.transaction.*', 'payment.*', 'catalogue.*', 'biller.*'];

/** `transaction.*` for each level of each type. */
const PATTERNS: ReadonlySet<unknown> = new Set(['*', ...LISTENED, ...ANNOUNCED, ...LISTENED.flatMap(levelsOf)]);

function levelsOf(type: EventType): string[] {
  const words = type.split('.').slice(0, -1);
  return words.map((_, index) => `${words.slice(0, index + 1).join('.')}.*`);
}

export const isEventPattern = (value: unknown): value is EventPattern => PATTERNS.has(value);

/** Whether an endpoint with these patterns is told of events of a type. */
export const listensTo = (patterns: readonly EventPattern[], type: EventType): boolean =>
  type !== TEST_EVENT &&
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );

/** Every type that the patterns match. */
export const typesOf = (patterns: readonly EventPattern[]): EventType[] =>
  LISTENED.filter((type) => listensTo(patterns, type));

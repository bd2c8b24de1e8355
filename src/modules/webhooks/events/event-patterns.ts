import { EVENT_TYPES, type EventType, SECRET_EVENT_TYPES } from '../../../vocabulary/event-types';

/** What an endpoint listens to: a type of event, all of a resource (`card.*`), or everything (`*`). */
export type EventPattern = EventType | `${string}.*` | '*';

/** Made by `POST /v4/webhooks/:id/test` for one endpoint: nobody listens to it. */
export const TEST_EVENT = 'webhook_endpoint.test' satisfies EventType;

/** Teams add types when a process starts: what follows reads the list each time. */
const listened = (): EventType[] => EVENT_TYPES.filter((type) => type !== TEST_EVENT);

/** `transaction.*` for each level of each type. */
const patterns = (): Set<string> => new Set(['*', ...listened(), ...listened().flatMap(levelsOf)]);

function levelsOf(type: EventType): string[] {
  const words = type.split('.').slice(0, -1);
  return words.map((_, index) => `${words.slice(0, index + 1).join('.')}.*`);
}

export const isEventPattern = (value: unknown): value is EventPattern => patterns().has(value as string);

/** What lists of events may be narrowed to: here tests are events like others. */
export const eventFilters = (): string[] => [...new Set([...EVENT_TYPES, ...patterns()])];

const matches = (pattern: EventPattern, type: EventType): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** Whether an endpoint with these patterns is told of events of a type. */
export const listensTo = (patterns: readonly EventPattern[], type: EventType): boolean =>
  type !== TEST_EVENT && patterns.some((pattern) => matches(pattern, type));

/** Whether an endpoint is told of events of a type as it is now. */
export const isToldOf = (
  { events, includeSecrets }: { readonly events: readonly EventPattern[]; readonly includeSecrets: boolean },
  type: EventType,
): boolean => listensTo(events, type) && (includeSecrets || !SECRET_EVENT_TYPES.includes(type));

/** Every type that a list narrowed to the patterns shows. */
export const typesShown = (patterns: readonly EventPattern[]): EventType[] =>
  EVENT_TYPES.filter((type) => patterns.some((pattern) => matches(pattern, type)));

/** Every type that an endpoint with the patterns is told of. */
export const typesOf = (patterns: readonly EventPattern[]): EventType[] =>
  listened().filter((type) => listensTo(patterns, type));

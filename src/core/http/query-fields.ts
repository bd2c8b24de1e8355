import { applyDecorators } from '@nestjs/common';
import { ReadWith } from './dto';
import { amountRules, field, type FieldOptions, isMetadata, METADATA_VALUE } from './fields';
import type { PageRequest } from './pages';

/** Query strings carry text: what looks like a whole number becomes one, the rest is left for the rule to refuse. */
const ToInteger = () =>
  ReadWith((value) => (typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value));

const LIMIT_MAX = 100;

/** Rows of a page, 1 to 100. */
const Limit = () =>
  applyDecorators(
    ToInteger(),
    field(
      { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: 20, description: 'Rows of a page.' },
      [{ name: 'limit', says: `must be a whole number from 1 to ${LIMIT_MAX}`, holds: isLimit }],
      { optional: true },
    ),
  );

const isLimit = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LIMIT_MAX;

const CURSOR_MAX = 512;

/** `next_cursor` of the page before. */
export const CursorParam = ({ description = '`next_cursor` of the page before.' } = {}) =>
  field(
    { type: 'string', maxLength: CURSOR_MAX, description },
    [
      {
        name: 'cursor',
        code: 'invalid_cursor',
        says: 'must be a next_cursor that this list gave',
        holds: (value) => typeof value === 'string' && value.length <= CURSOR_MAX,
      },
    ],
    { optional: true },
  );

/** A bound on amounts in a query string, in minor units. */
export const AmountBound = (options?: FieldOptions) =>
  applyDecorators(
    ToInteger(),
    field(
      { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, example: 105_000 },
      amountRules(0),
      { optional: true, ...options },
    ),
  );

/** `true` or `false` in a query string. */
export const Flag = (options?: FieldOptions) =>
  applyDecorators(
    ReadWith((value) => (value === 'true' ? true : value === 'false' ? false : value)),
    field(
      { type: 'boolean' },
      [{ name: 'flag', says: 'must be true or false', holds: (value) => typeof value === 'boolean' }],
      { optional: true, ...options },
    ),
  );

const DAY = String.raw`(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\d`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const TIME = new RegExp(String.raw`^(${DAY})(?:T${CLOCK}:[0-5]\d(?:\.\d{1,9})?(?:Z|[+ -]${CLOCK}))?$`);

/**
 * ISO 8601 as a `Date`: in UTC, with an offset (`+01:00`), or a plain day, which is its midnight in UTC. A day that no
 * calendar has (2026-02-30) is refused.
 */
export const DateTime = (options?: FieldOptions) =>
  applyDecorators(
    ReadWith((value) => parseTime(value) ?? value),
    field(
      { type: 'string', pattern: '^[0-9TZ:.+ -]{10,40}$', maxLength: 40, example: '2026-11-01T00:00:00.000Z' },
      [
        {
          name: 'dateTime',
          says: 'must be a time like 2026-11-01T00:00:00.000Z or 2026-11-01T01:00:00+01:00, or a day like 2026-11-01',
          holds: (value) => value instanceof Date,
        },
      ],
      options,
    ),
  );

/** Null: what the rule of `DateTime` refuses. */
export function parseTime(value: unknown): Date | null {
  const day = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined;
  if (day === undefined) return null;
  // Date rolls the 30th of February over to March: the day must survive a round trip.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  return new Date(withPlus(value as string));
}

/** In a query string an unescaped + is a space. */
const withPlus = (text: string): string => text.replace(' ', '+');

/** Beside the decorator of a text that may be a phone number, which begins with a + and never with a space. */
export const MayBeginWithPlus = () =>
  ReadWith((value) => (typeof value === 'string' && /^ \d/.test(value) ? withPlus(value) : value));

/**
 * Several of `list`: `type=a,b`, or the parameter repeated. Read as an array. The list may grow while a process starts.
 */
export const ManyOf = (list: readonly string[] | (() => readonly string[]), options?: FieldOptions) => {
  const now = typeof list === 'function' ? list : () => list;
  const values = now();
  const word = values.some((value) => value.includes('*')) ? '[a-z_.*]+' : '[a-z_.]+';
  return applyDecorators(
    ReadWith((given) => [given].flat().flatMap((value) => (typeof value === 'string' ? value.split(',') : [value]))),
    field(
      {
        type: 'string',
        pattern: `^${word}(,${word})*$`,
        maxLength: 1024,
        example: values.slice(0, 2).join(','),
        description: `One or several, by commas or repeated, of ${values.join(', ')}.`,
      },
      [
        {
          name: 'manyOf',
          get says() {
            return `must be one or several of ${now().join(', ')}`;
          },
          holds: (given) => {
            const known = now();
            return (
              Array.isArray(given) &&
              given.length > 0 &&
              given.length <= known.length &&
              given.every((value) => known.includes(value as string))
            );
          },
        },
      ],
      { optional: true, ...options },
    ),
  );
};

const PAIRS_MAX = 3;
const PAIR = /^metadata\[(.*)\]$/s;

/** Filters of a list: `metadata[order]=1001`, up to three, of which each must be so. */
export const MetadataFilter = () =>
  field(
    {
      type: 'object',
      maxProperties: PAIRS_MAX,
      additionalProperties: { type: 'string', maxLength: METADATA_VALUE.max },
      example: { order: '1001' },
      description: `Only what has these pairs in its metadata, exactly: \`metadata[order]=1001\`, up to ${PAIRS_MAX}.`,
      style: 'deepObject',
      explode: true,
    },
    [
      {
        name: 'metadataFilter',
        says:
          `must be 1 to ${PAIRS_MAX} pairs such as metadata[order]=1001, each key once, ` +
          'keys of 1 to 40 and values of up to 500 characters',
        holds: (value) =>
          // PostgreSQL refuses to look for text that it cannot hold.
          isMetadata(value, PAIRS_MAX) && !Object.entries(value).flat().join('').includes('\0'),
      },
    ],
    { optional: true },
  );

/** A query string with its pairs `metadata[key]` as one field, `metadata`. */
export function withPairs(query: object): object {
  const entries = Object.entries(query).map(([name, value]) => [PAIR.exec(name)?.[1], name, value] as const);
  const pairs = entries.flatMap(([key, , value]) => (key === undefined ? [] : [[key, value] as const]));
  if (pairs.length === 0) return query;
  const rest = entries.flatMap(([key, name, value]) => (key === undefined ? [[name, value] as const] : []));
  return { metadata: Object.fromEntries(pairs), ...Object.fromEntries(rest) };
}

/** Query of every list; lists extend it with their filters. */
export class PageQuery implements PageRequest {
  @Limit()
  limit: number = 20;

  @CursorParam()
  cursor?: string;
}

import { applyDecorators } from '@nestjs/common';
import { ReadWith } from './dto';
import { amountRules, field, type FieldOptions } from './fields';
import type { PageRequest } from './pages';

/** Query strings carry text: what looks like a whole number becomes one, the rest is left for the rule to refuse. */
const ToInteger = () => ReadWith((value) => (typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value));

const LIMIT_MAX = 100;

/** Rows of a page, 1 to 100. */
export const Limit = () =>
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
    [{
      name: 'cursor',
      code: 'invalid_cursor',
      says: 'must be a next_cursor that this list gave',
      holds: (value) => typeof value === 'string' && value.length <= CURSOR_MAX,
    }],
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

const TIME = /^((?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** ISO 8601 UTC (`2026-02-28T12:00:00Z`) as a `Date`; a day that no calendar has (2026-02-30) is refused. */
export const DateTime = (options?: FieldOptions) =>
  applyDecorators(
    ReadWith((value) => parseTime(value) ?? value),
    field(
      { type: 'string', format: 'date-time', maxLength: 30, example: '2026-11-01T00:00:00.000Z' },
      [{ name: 'dateTime', says: 'must be a time in UTC, like 2026-11-01T00:00:00.000Z', holds: (value) => value instanceof Date }],
      options,
    ),
  );

function parseTime(value: unknown): Date | null {
  const day = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined;
  if (day === undefined) return null;
  // Date rolls the 30th of February over to March: the day must survive a round trip.
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day) ? new Date(value as string) : null;
}

/** Query of every list; lists extend it with their filters. */
export class PageQuery implements PageRequest {
  @Limit()
  limit: number = 20;

  @CursorParam()
  cursor?: string;
}

import { field, type FieldOptions } from '../../core/http/fields';
import { isEventPattern } from './endpoint-patterns.batch';

const PATTERNS_MAX = 100;

const SCHEMA = {
  type: 'array',
  items: { type: 'string', maxLength: 64, example: 'transaction.*' },
  minItems: 1,
  maxItems: PATTERNS_MAX,
  example: ['transaction.*', 'wallet.credited'],
  description: 'Types of events, all of a resource (`transaction.*`), or everything (`*`).',
} as const;

/** What is listened to: types of events and patterns of them. */
export const EventPatterns = (options?: FieldOptions) =>
  field(
    { ...SCHEMA, example: [...SCHEMA.example] },
    [
      {
        name: 'eventPatterns',
        says: `must be a list of 1 to ${PATTERNS_MAX} types of events, like transaction.failed, transaction.* or *`,
        holds: arePatterns,
      },
    ],
    options,
  );

function arePatterns(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 1 && value.length <= PATTERNS_MAX && value.every(isEventPattern);
}

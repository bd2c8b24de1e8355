import { ApiProperty } from '@nestjs/swagger';
import { field, type FieldOptions, OneOf } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { CursorParam, DateTime, Flag, ManyOf, PageQuery } from '../../../core/http/query-fields';
import type { StoredEvent } from '../../../core/outbox/event-log';
import { EVENT_TYPES, type EventType } from '../../../vocabulary/event-types';
import { eventFilters, type EventPattern, isEventPattern } from './event-patterns';

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

export class EventsQuery extends PageQuery {
  @ManyOf(eventFilters, {
    description: 'One or several, by commas or repeated: types, or all of a resource (`card.*`).',
    example: 'transfer.successful,card.*',
  })
  type?: EventPattern[];

  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;

  @OneOf(['asc', 'desc'], {
    optional: true,
    description:
      '`asc`: in the order of commits, to be followed without gaps: `next_cursor` is always there, and ' +
      '`Prefer: wait=N` holds the answer back until there is something.',
  })
  order?: 'asc' | 'desc';

  @CursorParam({ description: 'With `order=asc`: the `next_cursor` to go on from, however long ago it was given.' })
  after?: string;

  @Flag({
    description:
      'true: delivered to all endpoints that were to be told. false: to one of them not, or not yet. Not with ' +
      '`order=asc`.',
  })
  delivery_success?: boolean;
}

export class EventDataDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The resource; fields that change are as they stood at the event. Only its `id` where it cannot be shown any ' +
      'more.',
  })
  object: object;
  @ApiProperty({
    type: [String],
    required: false,
    example: ['metadata'],
    description:
      'Only in webhooks: fields of the object that were emptied, as the message would be larger than 20 kB. Fetch ' +
      'the object to see them.',
  })
  omitted?: string[];
}

/** The call that caused the event. */
export class EventRequestDto {
  id: string | null;
  idempotency_key: string | null;
}

/** Something that happened to one of your resources. */
export class EventDto {
  @ApiProperty({ enum: ['event'] })
  object: 'event';
  /** @example "evt_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;
  @ApiProperty({ enum: ['v4'] })
  api_version: 'v4';
  account_id: string;
  data: EventDataDto;
  request: EventRequestDto;
  livemode: boolean;
  /** When it happened. */
  timestamp: Date;
  created_at: Date;

  static of(this: void, event: StoredEvent, object: object): EventDto {
    return {
      id: encodeId('evt', event.id),
      object: 'event',
      type: event.type,
      api_version: 'v4',
      account_id: encodeId('acct', event.accountId),
      data: { object },
      request: { id: event.requestId && encodeId('req', event.requestId), idempotency_key: event.idempotencyKey },
      livemode: event.livemode,
      timestamp: timeOf(event.id),
      created_at: timeOf(event.id),
    };
  }
}

export class EventListDto extends ListOf(EventDto) {}

/** Receivers and what stands before them often refuse more. */
export const BODY_BYTES_MAX = 20_000;

/** What stays of a field that is left out: its type. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  return Array.isArray(value) ? [] : {};
}

const isLarge = (value: unknown): boolean => (typeof value === 'object' && value !== null) || typeof value === 'string';

/**
 * An event as JSON that is not too large. The largest fields of its object are emptied until it fits, and
 * `data.omitted` names them: whoever needs them fetches the object.
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

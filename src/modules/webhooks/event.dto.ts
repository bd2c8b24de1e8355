import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ReadWith } from '../../core/http/dto';
import { type FieldOptions, Flag, OneOf } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CursorParam, DateTime, ManyOf, PageQuery } from '../../core/http/query-fields';
import type { StoredEvent } from '../../core/outbox/event-log';
import { EVENT_TYPES, type EventType } from '../../core/outbox/event-types';
import { EVENT_FILTERS } from './endpoint-patterns.batch';
import type { EventPattern } from './webhooks.types';

/** Query strings carry text. */
const TrueOrFalse = (options: FieldOptions) =>
  applyDecorators(
    ReadWith((value) => (value === 'true' || value === 'false' ? value === 'true' : value)),
    Flag({ optional: true, ...options }),
  );

export class EventsQuery extends PageQuery {
  @ManyOf(EVENT_FILTERS, {
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
      '`asc`: in the order of commits, to be followed without gaps: `next_cursor` is always there, and `Prefer: wait=N` holds the answer back until there is something.',
  })
  order?: 'asc' | 'desc';

  @CursorParam({ description: 'With `order=asc`: the `next_cursor` to go on from, however long ago it was given.' })
  after?: string;

  @TrueOrFalse({
    description:
      'true: delivered to all endpoints that were to be told. false: to one of them not, or not yet. Not with `order=asc`.',
  })
  delivery_success?: boolean;
}

export class EventDataDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The resource; fields that change are as they stood at the event.',
  })
  object: object;
  @ApiProperty({
    type: [String],
    required: false,
    example: ['metadata'],
    description:
      'Only in webhooks: fields of the object that were emptied, as the message would be larger than 20 kB. Fetch the object to see them.',
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

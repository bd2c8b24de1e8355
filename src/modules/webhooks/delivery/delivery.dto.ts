import { ApiProperty } from '@nestjs/swagger';
import { DryRun, field, OneOf, PublicId } from '../../../core/http/fields';
import { decodeId, encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, ManyOf, PageQuery } from '../../../core/http/query-fields';
import { EVENT_TYPES, type EventType } from '../../../vocabulary/event-types';
import type { Viewer } from '../../../core/resources/resources';
import { eventFilters, type EventPattern } from '../events/event-patterns';
import { EventPatterns } from '../events/event.dto';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type WebhookAttempt,
  type WebhookDelivery,
} from './webhook-delivery.entity';

/** `failed`: attempts ended without a success. `missing`: never tried, as the endpoint did not exist or listen then. */
const REPLAY_KINDS = ['failed', 'missing', 'all'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** Events that an endpoint may be sent again. */
export interface ReplayRange {
  readonly from: Date;
  /** Events of this moment are outside. */
  readonly to: Date;
  readonly types: readonly EventPattern[];
  readonly only: ReplayKind;
}

/** What an endpoint did not get, and the replay that sends it. */
export interface MissedEvents {
  readonly count: number;
  readonly range: ReplayRange;
}

const HttpStatus = () =>
  field(
    {
      type: 'string',
      pattern: '^[1-5][0-9][0-9]$',
      maxLength: 3,
      example: '503',
      description: 'What the last attempt was answered with.',
    },
    [{ name: 'httpStatus', says: 'must be a status of HTTP, 100 to 599', holds: isHttpStatus }],
    { optional: true },
  );

function isHttpStatus(value: unknown): boolean {
  return typeof value === 'string' && /^[1-5]\d\d$/.test(value);
}

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  @PublicId('evt', {
    optional: true,
    description: 'Deliveries of one event. When there are none, `not_sent` says why.',
  })
  event_id?: string;

  @ManyOf(eventFilters, {
    description: 'Of events of these types, by commas or repeated: types, or all of a resource (`card.*`).',
    example: 'transfer.successful,card.*',
  })
  type?: EventPattern[];

  @HttpStatus()
  http_status?: string;
}

/** `eventId`: null for an id that no event can have. */
export interface DeliveryFilters {
  readonly status?: DeliveryStatus;
  readonly eventId?: string | null;
  readonly types?: readonly EventPattern[];
  readonly httpStatus?: number;
}

export const filtersOf = ({ status, event_id, type, http_status }: DeliveriesQuery): DeliveryFilters => ({
  status,
  types: type,
  httpStatus: http_status === undefined ? undefined : Number(http_status),
  eventId: event_id === undefined ? undefined : decodeId('evt', event_id),
});

/** One try to deliver an event. */
export class DeliveryAttemptDto {
  /** 1 for the first. @example 1 */
  number: number;
  /** What came of it: `ok`, or why it failed. @example "http_error" */
  code: string;
  /** Null when there was no answer. @example 503 */
  http_status: number | null;
  /** @example 84 */
  duration_ms: number;
  @ApiProperty({ description: 'Where it went.', maxLength: 2_048, example: 'https://example.com/duka/events' })
  url: string;
  /** Of the request; the values of the endpoint's own headers are hidden. Null when none was made. */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: { type: 'string', maxLength: 1_024 } })
  request_headers: Record<string, string> | null;
  /** Of the answer: the first 40, each up to 512 characters. Null when there was none. */
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: { type: 'string', maxLength: 512 } })
  response_headers: Record<string, string> | null;
  /** What was answered, up to 16 kB. */
  @ApiProperty({ type: String, nullable: true, maxLength: 16_384 })
  response_body: string | null;
  created_at: Date;

  static of(this: void, attempt: WebhookAttempt): DeliveryAttemptDto {
    return {
      number: attempt.number,
      code: attempt.code,
      http_status: attempt.httpStatus,
      duration_ms: attempt.durationMs,
      url: attempt.url,
      request_headers: attempt.requestHeaders,
      response_headers: attempt.responseHeaders,
      response_body: attempt.responseBody,
      created_at: timeOf(attempt.id),
    };
  }
}

/** One event on its way to one endpoint. */
export class WebhookDeliveryDto {
  /** @example "dlv_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: ['webhook_delivery'] })
  object: 'webhook_delivery';
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  endpoint_id: string;
  /** @example "evt_01kabcdefghjkmnpqrstvwxyz0" */
  event_id: string;
  @ApiProperty({ enum: EVENT_TYPES })
  event_type: EventType;
  @ApiProperty({
    enum: DELIVERY_STATUSES,
    description:
      '`retrying`: at least one attempt failed. `disabled`: the endpoint was, when the event came. `aborted`: its ' +
      'receiver asked for that.',
  })
  status: DeliveryStatus;
  /** Attempts that were made. @example 1 */
  attempt_count: number;
  /** A replay, a retry or a test that you asked for. */
  is_replay: boolean;
  /** What came of the last attempt. */
  last_code: string | null;
  /** What the last attempt was answered with; null without an answer. @example 200 */
  last_http_status: number | null;
  next_attempt_at: Date | null;
  livemode: boolean;
  created_at: Date;
  completed_at: Date | null;

  static of(this: void, delivery: WebhookDelivery): WebhookDeliveryDto {
    return {
      id: encodeId('dlv', delivery.id),
      object: 'webhook_delivery',
      endpoint_id: encodeId('whk', delivery.endpointId),
      event_id: encodeId('evt', delivery.eventId),
      event_type: delivery.eventType,
      status: delivery.status,
      attempt_count: delivery.attempts,
      is_replay: delivery.isReplay,
      last_code: delivery.lastCode,
      last_http_status: delivery.lastHttpStatus,
      next_attempt_at: delivery.nextAttemptAt,
      livemode: delivery.livemode,
      created_at: timeOf(delivery.id),
      completed_at: delivery.completedAt,
    };
  }
}

/** A delivery with its attempts, the first one first. */
export interface AttemptedDelivery {
  readonly delivery: WebhookDelivery;
  readonly attempts: readonly WebhookAttempt[];
}

export class DeliveryDetailsDto extends WebhookDeliveryDto {
  /** The first one first. */
  @ApiProperty({ type: [DeliveryAttemptDto] })
  attempts: DeliveryAttemptDto[];

  static with(this: void, { delivery, attempts }: AttemptedDelivery): DeliveryDetailsDto {
    return { ...WebhookDeliveryDto.of(delivery), attempts: attempts.map(DeliveryAttemptDto.of) };
  }
}

/** Deliveries with their attempts. */
export class DeliveryDetailsListDto extends ListOf(DeliveryDetailsDto) {}

/** Why there is no delivery of an event, and what that means. */
const UNSENT_REASONS = {
  unknown_event: 'There is no such event in this account and mode.',
  about_itself: 'An endpoint is not told of what happens to itself.',
  before_endpoint: 'It happened before the endpoint was made. A replay of missing events sends it.',
  filtered: 'The endpoint does not listen to events of this type.',
  relay_pending: 'It is being handed over, and follows within seconds.',
  not_listening_then:
    'The endpoint listens to events of this type now, and did not then. A replay of missing events sends it.',
} as const;

export type UnsentReason = keyof typeof UNSENT_REASONS;

/** Why an event was not sent to an endpoint. */
export class NotSentDto {
  @ApiProperty({ enum: Object.keys(UNSENT_REASONS), example: 'filtered' })
  reason: UnsentReason;
  /** For people. @example "The endpoint does not listen to events of this type." */
  detail: string;

  static of(this: void, reason: UnsentReason): NotSentDto {
    return { reason, detail: UNSENT_REASONS[reason] };
  }
}

export class WebhookDeliveryListDto extends ListOf(WebhookDeliveryDto) {
  /** Only for `event_id` without a delivery to this endpoint. */
  not_sent: NotSentDto | null;
}

export class ReplayEventsDto {
  @DateTime({ description: 'Events from this moment on.' })
  created_gte: Date;

  @DateTime({ description: 'Events before this moment.', example: '2026-11-02T00:00:00.000Z' })
  created_lt: Date;

  @EventPatterns({ optional: true, description: 'Of what the endpoint listens to, only these.' })
  types?: EventPattern[] | null;

  @OneOf(REPLAY_KINDS, {
    optional: true,
    description:
      '`failed` (default): attempts ended without a success. `missing`: never tried, as from before the endpoint ' +
      'existed. `all`: delivered ones too.',
  })
  only?: ReplayKind | null;

  @DryRun()
  dry_run?: boolean | null;
}

export const toRange = (dto: ReplayEventsDto): ReplayRange => ({
  from: dto.created_gte,
  to: dto.created_lt,
  types: dto.types ?? ['*'],
  only: dto.only ?? 'failed',
});

/** Events that are sent again. */
export class WebhookReplayDto {
  @ApiProperty({ enum: ['webhook_replay'] })
  object: 'webhook_replay';
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  endpoint_id: string;
  /** Events; null when a request is repeated. @example 12 */
  count: number | null;
  /** Nothing was sent. */
  dry_run: boolean;
  livemode: boolean;

  static of(
    this: void,
    { livemode }: Viewer,
    endpointId: string,
    count: number | null,
    dryRun: boolean,
  ): WebhookReplayDto {
    return { object: 'webhook_replay', endpoint_id: endpointId, count, dry_run: dryRun, livemode };
  }
}

/** The body of a replay. */
export class OfferedReplayDto {
  created_gte: Date;
  created_lt: Date;
  @ApiProperty({ enum: REPLAY_KINDS })
  only: ReplayKind;
}

/** What an endpoint did not get while it failed or was disabled. */
export class MissedEventsDto {
  /** @example 12 */
  count: number;
  /** When it began to fail, or was disabled. */
  since: Date;
  /** Send this to `POST /v4/webhooks/{id}/replay` to get them. */
  replay: OfferedReplayDto;

  static of(this: void, { count, range: { from, to, only } }: MissedEvents): MissedEventsDto {
    return { count, since: from, replay: { created_gte: from, created_lt: to, only } };
  }
}

/** What an endpoint did not get since it began to fail, or was disabled; nothing while it works. */
export class WebhookMissedDto {
  @ApiProperty({ enum: ['webhook_missed'] })
  object: 'webhook_missed';
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  endpoint_id: string;
  /** @example 12 */
  count: number;
  /** When it began to fail, or was disabled. */
  since: Date | null;
  /** Send this to `POST /v4/webhooks/{id}/replay` to get them. */
  replay: OfferedReplayDto | null;
  livemode: boolean;

  static of(this: void, { livemode }: Viewer, endpointId: string, missed: MissedEvents | null): WebhookMissedDto {
    const { count, since, replay } = missed ? MissedEventsDto.of(missed) : { count: 0, since: null, replay: null };
    return { object: 'webhook_missed', endpoint_id: endpointId, count, since, replay, livemode };
  }
}

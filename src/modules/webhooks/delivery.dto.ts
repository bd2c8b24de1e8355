import { ApiProperty } from '@nestjs/swagger';
import { OneOf, PublicId } from '../../core/http/fields';
import { decodeId, encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { PageQuery } from '../../core/http/query-fields';
import { EVENT_TYPES, type EventType } from '../../core/outbox/event-types';
import type { AttemptedDelivery, DeliveryFilters } from './deliveries.service';
import { UNSENT_REASONS, type UnsentReason } from './unsent.types';
import type { WebhookAttempt } from './webhook-attempt.entity';
import type { WebhookDelivery } from './webhook-delivery.entity';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhooks.types';

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  @PublicId('evt', {
    optional: true,
    description: 'Deliveries of one event. When there are none, `not_sent` says why.',
  })
  event_id?: string;
}

export const filtersOf = ({ status, event_id }: DeliveriesQuery): DeliveryFilters => ({
  status,
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
  /** `retrying`: at least one attempt failed. `disabled`: the endpoint was, when the event came. `aborted`: its receiver asked for that. */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;
  /** Attempts that were made. @example 1 */
  attempt_count: number;
  /** A replay, a retry or a test that you asked for. */
  is_replay: boolean;
  /** What came of the last attempt. */
  last_code: string | null;
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
      next_attempt_at: delivery.nextAttemptAt,
      livemode: delivery.livemode,
      created_at: timeOf(delivery.id),
      completed_at: delivery.completedAt,
    };
  }
}

/** A delivery with its attempts. */
export class DeliveryDetailsDto extends WebhookDeliveryDto {
  /** The first one first. */
  @ApiProperty({ type: [DeliveryAttemptDto] })
  attempts: DeliveryAttemptDto[];

  static with({ delivery, attempts }: AttemptedDelivery): DeliveryDetailsDto {
    return { ...WebhookDeliveryDto.of(delivery), attempts: attempts.map(DeliveryAttemptDto.of) };
  }
}

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

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../../vocabulary/event-types';

/**
 * `retrying`: at least one attempt failed. `disabled`: the endpoint was, when the event came. `aborted`: the receiver
 * asked for it.
 */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'exhausted', 'disabled', 'aborted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt failed, in words that do not tell open ports from closed ones. */
export type AttemptCode =
  | 'ok'
  | 'http_error'
  | 'redirect'
  | 'gone'
  | 'rate_limited'
  | 'timeout'
  | 'connection_failed'
  | 'address_refused'
  | 'url_refused'
  /** Nothing was sent, and it is no fault of the receiver's: what the event is about cannot be shown. */
  | 'not_made';

/** One event on its way to one endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'endpoint_id' })
  endpointId: string;

  @Column('uuid', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'event_type' })
  eventType: EventType;

  @Column('text')
  status: DeliveryStatus;

  /** Attempts that were made. */
  @Column('integer')
  attempts: number;

  /** Asked for by a person: goes to disabled endpoints too, and says nothing of their health. */
  @Column('boolean', { name: 'is_replay' })
  isReplay: boolean;

  /** What the last attempt was answered with; null without an answer. */
  @Column('integer', { name: 'last_http_status', nullable: true })
  lastHttpStatus: number | null;

  /** Null when no attempt will follow. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** What came of the last attempt. */
  @Column('text', { name: 'last_code', nullable: true })
  lastCode: string | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

/** One try to deliver an event, and what came of it. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of the attempt. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'delivery_id' })
  deliveryId: string;

  /** 1 for the first. */
  @Column('integer')
  number: number;

  @Column('text')
  url: string;

  @Column('text')
  code: AttemptCode;

  @Column('integer', { name: 'http_status', nullable: true })
  httpStatus: number | null;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  /** Null for attempts of before they were kept, and where nothing was sent. */
  @Column('jsonb', { name: 'request_headers', nullable: true })
  requestHeaders: Record<string, string> | null;

  @Column('jsonb', { name: 'response_headers', nullable: true })
  responseHeaders: Record<string, string> | null;

  /** At most 16 kB. */
  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;
}

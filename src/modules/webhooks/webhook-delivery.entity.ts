import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../core/outbox/event-types';
import type { DeliveryStatus } from './webhooks.types';

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

  /** Null when no attempt will follow. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** What came of the last attempt. */
  @Column('text', { name: 'last_code', nullable: true })
  lastCode: string | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

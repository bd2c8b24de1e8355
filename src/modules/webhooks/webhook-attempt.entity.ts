import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AttemptCode } from './webhooks.types';

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

  /** At most 16 kB. */
  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventPattern } from '../events/event-patterns';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Faults that a test endpoint can be given, to see whether its receiver bears them. */
export const WEBHOOK_FAULTS = ['duplicate', 'out_of_order', 'delayed', 'bad_signature'] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

/** An address of an account that is told of events. */
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  url: string;

  @Column('text', { array: true })
  events: EventPattern[];

  @Column('text', { nullable: true })
  description: string | null;

  /** Meter tokens and PINs are sent whole. */
  @Column('boolean', { name: 'include_secrets' })
  includeSecrets: boolean;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Sealed with `SecretBox` for this endpoint's id. */
  @Column('bytea')
  secret: Buffer;

  /** Signs beside `secret` until `previousUntil`. */
  @Column('bytea', { name: 'previous_secret', nullable: true })
  previousSecret: Buffer | null;

  @Column('timestamptz', { name: 'previous_until', nullable: true })
  previousUntil: Date | null;

  /** JSON of what is sent along, by lower-case names; sealed with `SecretBox` for this endpoint's id. */
  @Column('bytea', { nullable: true })
  headers: Buffer | null;

  @Column('text', { name: 'header_names', array: true })
  headerNames: string[];

  @Column('text')
  status: EndpointStatus;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  /** Deliveries that may be under way at once. */
  @Column('integer', { name: 'in_flight_max' })
  inFlightMax: number;

  /** Messages per second; null: as many as there are. */
  @Column('integer', { name: 'per_second_max', nullable: true })
  perSecondMax: number | null;

  @Column('text', { nullable: true })
  faults: WebhookFault | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { name: 'last_failure_at', nullable: true })
  lastFailureAt: Date | null;

  @Column('timestamptz', { name: 'last_success_at', nullable: true })
  lastSuccessAt: Date | null;

  /** How near to being disabled its account was told that it is. */
  @Column('integer', { name: 'warned_percent' })
  warnedPercent: number;

  /** Its account was told that it fails, or it was disabled for that: the next success is told, too. */
  @Column('boolean', { name: 'is_down' })
  isDown: boolean;

  /** Number of the transaction that made it, in decimal: events of earlier ones are not sent to it. */
  @Column('bigint', { name: 'created_in' })
  createdIn: string;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}

export type NewEndpoint = Pick<
  WebhookEndpoint,
  'url' | 'events' | 'description' | 'includeSecrets' | 'metadata' | 'faults' | 'inFlightMax' | 'perSecondMax'
> & {
  /** What is sent along, by name; null takes one away. */
  readonly headers: Readonly<Record<string, string | null>>;
};

/** What is undefined stays as it is. */
export type EndpointChanges = Partial<NewEndpoint>;

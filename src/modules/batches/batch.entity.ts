import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';

/** What the rows of a batch may be: each is the body of one route. */
export const BATCH_KINDS = ['airtime', 'data', 'bill', 'transfer', 'payout'] as const;
export type BatchKindName = (typeof BATCH_KINDS)[number];

/** What a row that fails means for the others. */
export const ON_ERROR = ['continue', 'stop', 'all_or_nothing'] as const;
export type OnError = (typeof ON_ERROR)[number];

export const BATCH_STATUSES = [
  'validating',
  'scheduled',
  'running',
  'paused',
  'completed',
  'invalid',
  'failed',
  'cancelled',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * `pending`: not looked at yet, `valid`: waits for its turn, `processing`: begun; what the single route would have
 * answered then is one of the others.
 */
export const ITEM_STATUSES = [
  'pending',
  'valid',
  'invalid',
  'processing',
  'successful',
  'failed',
  'cancelled',
] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** How many rows are in each status. */
export type ItemCounts = Readonly<Record<ItemStatus, number>>;

/** Why a row, or the whole batch, came to nothing. */
export interface BatchFailure {
  readonly code: string;
  /** JSON pointer into the request. */
  readonly param: string | null;
  readonly detail: string;
}

/** A wallet that had less than its rows were to cost, when they were priced. Minor units. */
export interface Shortfall {
  /** Wallet uuid. */
  readonly walletId: string;
  readonly currency: Currency;
  readonly available: string;
  readonly needed: string;
}

/** Many orders that were placed at once. Amounts in minor units. */
@Entity('batches')
export class Batch {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: BatchKindName;

  @Column('text')
  status: BatchStatus;

  @Column('text', { name: 'on_error' })
  onError: OnError;

  /** Rows that are not valid are left out instead of stopping all. */
  @Column('boolean', { name: 'skip_invalid' })
  skipInvalid: boolean;

  @Column('boolean', { name: 'dry_run' })
  dryRun: boolean;

  /** Pays for the rows that name no wallet; null: as the route does without one. */
  @Column('uuid', { name: 'wallet_id', nullable: true })
  walletId: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Of a batch that came as CSV: its columns, in their order. */
  @Column('jsonb', { nullable: true })
  columns: readonly string[] | null;

  /** No row begins before; by the account's clock. */
  @Column('timestamptz', { name: 'start_at', nullable: true })
  startAt: Date | null;

  /** User uuid of the person at the dashboard; null: a key. */
  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy: string | null;

  @Column('uuid', { name: 'request_id' })
  requestId: string;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  /** Of all rows; null until they were priced. */
  @Column('text', { nullable: true })
  currency: Currency | null;

  @Column('jsonb')
  counts: ItemCounts;

  /** Sums over the rows that cost something, or will. */
  @MinorColumn()
  amount: bigint;

  @MinorColumn()
  fee: bigint;

  @MinorColumn()
  total: bigint;

  /** Null until the rows were priced. */
  @Column('jsonb', { nullable: true })
  shortfalls: readonly Shortfall[] | null;

  @Column('jsonb', { nullable: true })
  failure: BatchFailure | null;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  /** When somebody looks at it next, by the account's clock; null: nobody has to. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** When an event last told of it. */
  @Column('timestamptz', { name: 'told_at' })
  toldAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

/** A row of a batch. Amounts in minor units. */
@Entity('batch_items')
export class BatchItem {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  @PrimaryColumn('uuid', { name: 'batch_id' })
  batchId: string;

  /** Its place, from 0 on. */
  @PrimaryColumn('integer')
  number: number;

  /** Null where the row has none that could be one. */
  @Column('text', { nullable: true })
  reference: string | null;

  /** As it was sent. Of CSV: texts. */
  @Column('jsonb')
  body: Record<string, unknown>;

  @Column('text')
  status: ItemStatus;

  /** Which wallet pays, once it was priced. */
  @Column('uuid', { name: 'wallet_id', nullable: true })
  walletId: string | null;

  @Column('text', { nullable: true })
  currency: Currency | null;

  @MinorColumn({ nullable: true })
  amount: bigint | null;

  @MinorColumn({ nullable: true })
  fee: bigint | null;

  @MinorColumn({ nullable: true })
  total: bigint | null;

  /** Prefix of what it made. */
  @Column('text', { nullable: true })
  resource: 'txn' | 'trf' | null;

  @Column('uuid', { name: 'resource_id', nullable: true })
  resourceId: string | null;

  @Column('jsonb', { nullable: true })
  failure: BatchFailure | null;

  /** How often it was begun. */
  @Column('integer')
  tries: number;
}

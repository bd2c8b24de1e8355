import { ApiProperty } from '@nestjs/swagger';
import { DryRun, field, Flag, Metadata, OneOf, PublicId, Reference } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, ManyOf, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, sumToJsonNumber, toJsonNumber } from '../../core/money/money';
import {
  type Batch,
  BATCH_KINDS,
  BATCH_STATUSES,
  type BatchFailure,
  type BatchItem,
  type BatchKindName,
  type BatchStatus,
  ITEM_STATUSES,
  type ItemCounts,
  type ItemStatus,
  ON_ERROR,
  type OnError,
  type Shortfall,
} from './batch.entity';
import { pointerOf } from './batch-row.dto';

export const ROWS_MAX = 10_000;

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const Items = () =>
  field(
    {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description:
        `Up to ${ROWS_MAX} rows, each the body of the kind's route with a \`reference\` of its own; 500 with ` +
        '`on_error` "all_or_nothing". Either these or `csv`.',
    } as Parameters<typeof field>[0],
    [
      {
        name: 'items',
        says: 'must be an array of objects, at least one',
        holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isRow),
      },
    ],
    { optional: true, example: [{ phone: '+2348031234567', amount: 20_000, network: 'mtn', reference: 'topup-1' }] },
  );

const Csv = () =>
  field(
    {
      type: 'string',
      minLength: 1,
      description:
        'The rows as CSV instead: its header names fields of the body, `bank.code` those of an object in it. A body ' +
        'of the type text/csv is this field, and all others stand in the query string then.',
    },
    [{ name: 'csv', says: 'must be text', holds: (value) => typeof value === 'string' && value.length > 0 }],
    { optional: true },
  );

export class CreateBatchDto {
  @OneOf(BATCH_KINDS, { description: 'What each row is: the body of the route of this kind.' })
  kind: BatchKindName;

  @Items()
  items?: Record<string, unknown>[] | null;

  @Csv()
  csv?: string | null;

  @PublicId('wal', { optional: true, description: 'Pays for the rows that name no wallet.' })
  wallet_id?: string | null;

  @OneOf(ON_ERROR, {
    optional: true,
    example: 'continue',
    description:
      'What a row that fails means: the others go on (`continue`, the default), none is begun after it (`stop`), or ' +
      'nothing happens at all (`all_or_nothing`; transfers only, answered at once).',
  })
  on_error?: OnError | null;

  @Flag({ optional: true, example: false, description: 'Leave rows that are not valid out instead of starting none.' })
  skip_invalid?: boolean | null;

  @DateTime({ optional: true })
  start_at?: Date | null;

  @Reference({ optional: true, example: 'payroll-2026-11' })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** A batch as the caller asks for it. */
export interface WantedBatch {
  readonly kind: BatchKindName;
  /** Null: they came as CSV. */
  readonly items: readonly Record<string, unknown>[] | null;
  readonly csv: string | null;
  /** Public id. */
  readonly walletId: string | null;
  readonly onError: OnError;
  readonly skipInvalid: boolean;
  readonly startAt: Date | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly dryRun: boolean;
}

export const toWantedBatch = (dto: CreateBatchDto): WantedBatch => ({
  kind: dto.kind,
  items: dto.items ?? null,
  csv: dto.csv ?? null,
  walletId: dto.wallet_id ?? null,
  onError: dto.on_error ?? 'continue',
  skipInvalid: dto.skip_invalid ?? false,
  startAt: dto.start_at ?? null,
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  dryRun: dto.dry_run ?? false,
});

/** How many rows are in each status. */
export class BatchCountsDto implements ItemCounts {
  /** Not looked at yet. */
  pending: number;
  /** Can be carried out, and waits for its turn. */
  valid: number;
  /** Never begun: `failure` says why. */
  invalid: number;
  /** Begun; how it ends is not known yet. */
  processing: number;
  successful: number;
  failed: number;
  /** Not begun before the batch ended. */
  cancelled: number;
}

/** Of the rows that cost something, or will: neither of those that failed nor of those that were never begun. */
export class BatchTotalsDto {
  /** Minor units. @example 40000 */
  amount: number;
  /** Minor units. @example 0 */
  fee: number;
  /** What leaves the wallets, in minor units. @example 39000 */
  total: number;
}

export class BatchShortfallDto {
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  wallet_id: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** What it could pay when the rows were priced, with its credit, in minor units. Null: more than a number holds. */
  available: number | null;
  /** What its rows cost, in minor units. Null: more than a number holds; their `total`s sum up to it. */
  needed: number | null;
  /** What lacks, in minor units. Null likewise. */
  lacking: number | null;

  static of(this: void, { walletId, currency, available, needed }: Shortfall): BatchShortfallDto {
    return {
      wallet_id: encodeId('wal', walletId),
      currency,
      available: sumToJsonNumber(BigInt(available)),
      needed: sumToJsonNumber(BigInt(needed)),
      lacking: sumToJsonNumber(BigInt(needed) - BigInt(available)),
    };
  }
}

export class BatchFailureDto implements BatchFailure {
  /** As the single route would have it. @example "insufficient_funds" */
  code: string;
  /** JSON pointer into the request. @example "/items/3/amount" */
  param: string | null;
  detail: string;
}

/** Many orders that were placed at once. */
export class BatchDto {
  @ApiProperty({ enum: ['batch'] })
  object: 'batch';
  /** Null in a dry run that was answered at once. @example "bat_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: BATCH_KINDS })
  kind: BatchKindName;
  @ApiProperty({ enum: BATCH_STATUSES })
  status: BatchStatus;
  @ApiProperty({ enum: ON_ERROR })
  on_error: OnError;
  skip_invalid: boolean;
  dry_run: boolean;
  counts: BatchCountsDto;
  totals: BatchTotalsDto;
  /** Of all rows; null until they were priced. */
  @ApiProperty({ enum: CURRENCIES, nullable: true })
  currency: Currency | null;
  /** `totals.total` for people, never to be parsed. @example "NGN 390.00" */
  total_display: string | null;
  /** Wallets that had too little when the rows were priced; null until then. */
  @ApiProperty({ type: () => [BatchShortfallDto], nullable: true, maxItems: ROWS_MAX })
  shortfalls: BatchShortfallDto[] | null;
  /** Why the batch came to nothing, or was stopped. */
  failure: BatchFailureDto | null;
  wallet_id: string | null;
  start_at: Date | null;
  reference: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  /** Grows by one with each change. */
  version: number;
  livemode: boolean;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;

  static of(this: void, b: Batch): BatchDto {
    return {
      object: 'batch',
      id: encodeId('bat', b.id),
      kind: b.kind,
      on_error: b.onError,
      skip_invalid: b.skipInvalid,
      dry_run: b.dryRun,
      ...BatchDto.changing(b),
      wallet_id: b.walletId === null ? null : encodeId('wal', b.walletId),
      start_at: b.startAt,
      reference: b.reference,
      metadata: b.metadata,
      livemode: b.livemode,
      created_at: timeOf(b.id),
    };
  }

  static ofPreview(batch: Batch): BatchDto {
    return { ...BatchDto.of(batch), id: null };
  }

  /** What another event of the batch may say otherwise. */
  static changing(this: void, b: Batch) {
    return {
      status: b.status,
      counts: b.counts,
      totals: { amount: toJsonNumber(b.amount), fee: toJsonNumber(b.fee), total: toJsonNumber(b.total) },
      currency: b.currency,
      total_display: b.currency === null ? null : displayMoney({ amount: b.total, currency: b.currency }),
      shortfalls: b.shortfalls?.map(BatchShortfallDto.of) ?? null,
      failure: b.failure,
      version: b.version,
      updated_at: b.updatedAt,
      completed_at: b.completedAt,
    };
  }
}

export class BatchListDto extends ListOf(BatchDto) {}

export class BatchesQuery extends PageQuery {
  @ManyOf(BATCH_STATUSES)
  status?: BatchStatus[];

  @OneOf(BATCH_KINDS, { optional: true })
  kind?: BatchKindName;

  @Reference({ optional: true })
  reference?: string;
}

export class BatchItemsQuery extends PageQuery {
  @ManyOf(ITEM_STATUSES)
  status?: ItemStatus[];

  @OneOf(['json', 'csv'], { optional: true, description: '`csv`: what was sent with the outcome beside it, all rows.' })
  format?: 'json' | 'csv';
}

/** A row of a batch. Amounts in minor units, as priced; once it is final, as they were. */
export class BatchItemDto {
  @ApiProperty({ enum: ['batch_item'] })
  object: 'batch_item';
  /** @example "bat_01kabcdefghjkmnpqrstvwxyz0" */
  batch_id: string;
  /** Its place, from 0 on. @example 3 */
  number: number;
  @ApiProperty({ enum: ITEM_STATUSES })
  status: ItemStatus;
  /** @example "topup-1" */
  reference: string | null;
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  wallet_id: string | null;
  @ApiProperty({ enum: CURRENCIES, nullable: true })
  currency: Currency | null;
  amount: number | null;
  fee: number | null;
  total: number | null;
  /** What it made: a transaction, or a transfer. @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  resource_id: string | null;
  failure: BatchFailureDto | null;
  /** As it was sent. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  input: Record<string, unknown>;

  static of(this: void, i: BatchItem): BatchItemDto {
    const json = (sum: bigint | null): number | null => (sum === null ? null : toJsonNumber(sum));
    return {
      object: 'batch_item',
      batch_id: encodeId('bat', i.batchId),
      number: i.number,
      status: i.status,
      reference: i.reference,
      wallet_id: i.walletId === null ? null : encodeId('wal', i.walletId),
      currency: i.currency,
      amount: json(i.amount),
      fee: json(i.fee),
      total: json(i.total),
      resource_id: i.resource === null ? null : encodeId(i.resource, i.resourceId!),
      failure: i.failure && { ...i.failure, param: pointerOf(i.number) + (i.failure.param ?? '') },
      input: i.body,
    };
  }
}

export class BatchItemListDto extends ListOf(BatchItemDto) {}

/** What stands behind the columns that were sent. */
export const OUTCOME_COLUMNS = [
  'batch_status',
  'batch_resource_id',
  'batch_amount',
  'batch_fee',
  'batch_total',
  'batch_currency',
  'batch_failure_code',
  'batch_failure_param',
  'batch_failure_detail',
] as const;

export const outcomeCells = ({
  status,
  resource_id,
  amount,
  fee,
  total,
  currency,
  failure,
}: BatchItemDto): Record<(typeof OUTCOME_COLUMNS)[number], unknown> => ({
  batch_status: status,
  batch_resource_id: resource_id,
  batch_amount: amount,
  batch_fee: fee,
  batch_total: total,
  batch_currency: currency,
  batch_failure_code: failure?.code,
  batch_failure_param: failure?.param,
  batch_failure_detail: failure?.detail,
});

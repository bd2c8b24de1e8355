import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { AllowDuplicate, Amount, DryRun, Metadata, PublicId, Reference, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag, ManyOf, PageQuery } from '../../../core/http/query-fields';
import { toJsonNumber } from '../../../core/money/money';
import { PaymentFailureDto } from '../payment.dto';
import { ApprovalDto } from '../../transactions/approval.dto';
import { type Refund, REFUND_STATUSES, type RefundStatus } from './refund.entity';

export class CreateRefundDto {
  @Amount({ optional: true, description: 'What goes back to the payer, in minor units. All that is left when absent.' })
  amount?: number | null;

  @Text(255, { optional: true, example: 'Returned goods', description: 'Told to the gateway.' })
  reason?: string | null;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** A refund as it is asked for. */
export interface NewRefund {
  /** Minor units; null: all that is left. */
  readonly amount: bigint | null;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

export const toRefund = (dto: CreateRefundDto): NewRefund => ({
  amount: dto.amount ? BigInt(dto.amount) : null,
  reason: dto.reason ?? null,
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});

/** Filters and page of a list of refunds. */
export class RefundsQuery extends PageQuery {
  @ManyOf(REFUND_STATUSES)
  status?: RefundStatus[];

  @PublicId('pay', { optional: true })
  payment_id?: string;

  @PublicId('wal', { optional: true })
  wallet_id?: string;

  @Reference({ optional: true })
  reference?: string;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

/** What a list of refunds may be narrowed to: bounds on time as in `gte`, `lt`. */
export type RefundFilters = Omit<RefundsQuery, keyof PageQuery>;

/** Null: it needs no second person. */
export const approvalOf = ({ approval, approveBy }: Pick<Refund, 'approval' | 'approveBy'>): ApprovalDto | null =>
  approval && { status: approval, expires_at: approveBy! };

/** Money of a payment that goes back to the payer. Amounts in minor units. */
export class RefundDto {
  @ApiProperty({ enum: ['refund'] })
  object: 'refund';
  /** Null in a dry run. @example "rfd_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  /** @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  payment_id: string;
  @ApiProperty({ enum: REFUND_STATUSES })
  status: RefundStatus;
  /** What the payer gets. */
  amount: number;
  /** What the wallet pays beside it. The fee of the payment stays paid. */
  fee: number;
  /** ISO 4217: of what the payer paid. @example "NGN" */
  currency: string;
  /** The wallet that was credited, and pays; null where what arrived was never credited. */
  wallet_id: string | null;
  /** The debit of that wallet; null without one, and in a dry run. */
  transaction_id: string | null;
  /** @example "sandbox_card" */
  gateway: string;
  /** The gateway's own id of the refund, once it said so. */
  gateway_reference: string | null;
  reason: string | null;
  reference: string | null;
  @ApiProperty({ type: () => PaymentFailureDto, nullable: true })
  failure: PaymentFailureDto | null;
  @ApiProperty({ type: () => ApprovalDto, nullable: true, description: 'Null: it needs no second person.' })
  approval: ApprovalDto | null;
  /** The gateway says nothing, or what contradicts the refund: the money stays held until a person decides. */
  needs_review: boolean;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('LedgerLineDto') },
    required: false,
    description: 'Only in a dry run: what the ledger would write when the money is held.',
  })
  ledger?: object[];

  static of(this: void, r: Readonly<Refund>): RefundDto {
    return {
      object: 'refund',
      id: encodeId('rfd', r.id),
      payment_id: encodeId('pay', r.paymentId),
      status: r.status,
      amount: toJsonNumber(r.amount),
      fee: toJsonNumber(r.fee),
      currency: r.currency,
      wallet_id: r.walletId && encodeId('wal', r.walletId),
      transaction_id: r.transactionId && encodeId('txn', r.transactionId),
      gateway: r.gateway,
      gateway_reference: r.gatewayReference,
      reason: r.reason,
      reference: r.reference,
      failure: r.failure,
      approval: approvalOf(r),
      needs_review: r.review !== null,
      metadata: r.metadata,
      livemode: r.livemode,
      version: r.version,
      created_at: timeOf(r.id),
      updated_at: r.updatedAt,
      completed_at: r.completedAt,
    };
  }

  static ofPreview(this: void, refund: Readonly<Refund>, ledger: object[]): RefundDto {
    return { ...RefundDto.of(refund), id: null, transaction_id: null, ledger };
  }
}

export class RefundListDto extends ListOf(RefundDto) {}

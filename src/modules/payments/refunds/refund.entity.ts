import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../../core/database/rows';
import type { Refused } from '../../../providers/answers';
import type { ApprovalState } from '../../../vocabulary/approvals';

export const REFUND_STATUSES = ['pending', 'processing', 'successful', 'failed', 'cancelled'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Which states a refund may go to from each. Total: a state without a row does not compile. */
const TRANSITIONS: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['processing', 'cancelled'],
  processing: ['successful', 'failed'],
  successful: [],
  failed: [],
  cancelled: [],
};

/** A step that the table does not have is a fault of ours. */
export function assertTransition(from: RefundStatus, to: RefundStatus): void {
  if (!TRANSITIONS[from].includes(to)) throw new Error(`a refund cannot go from ${from} to ${to}`);
}

/** Not final: the answer to the caller is 202. */
export const isRunning = (status: RefundStatus): boolean => status === 'pending' || status === 'processing';

/** Its money is held, and a second person is waited for: the gateway was not asked. */
export const awaitsApproval = ({ approval }: Pick<Refund, 'approval'>): boolean => approval === 'awaiting';

/** Money of a payment that goes back to the payer. Amounts in minor units; times are those of the account's clock. */
@Entity('refunds')
export class Refund {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'payment_id' })
  paymentId: string;

  /** `pending`: the gateway was not asked yet. `cancelled`: it never was. */
  @Column('text')
  status: RefundStatus;

  /** The wallet that was credited, and now pays; null where nothing was credited: the gateway still has the money. */
  @Column('uuid', { name: 'wallet_id', nullable: true })
  walletId: string | null;

  /** What the wallet pays: the debit, also the name of its hold. */
  @Column('uuid', { name: 'transaction_id', nullable: true })
  transactionId: string | null;

  /** What the payer gets. */
  @MinorColumn()
  amount: bigint;

  /** What the wallet pays beside it. */
  @MinorColumn()
  fee: bigint;

  /** ISO 4217: of what arrived, which is not always one of ours. */
  @Column('text')
  currency: string;

  /** That of the payment. */
  @Column('text')
  gateway: string;

  /** The gateway's own id, once it said so. */
  @Column('text', { name: 'gateway_reference', nullable: true })
  gatewayReference: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Where the fee comes from. */
  @Column('jsonb')
  breakdown: readonly object[];

  @Column('jsonb', { nullable: true })
  failure: Refused | null;

  /** What became of the second person that it needs; null: it needs none. */
  @Column('text', { nullable: true })
  approval: ApprovalState | null;

  /** Until when that person may decide. */
  @Column('timestamptz', { name: 'approve_by', nullable: true })
  approveBy: Date | null;

  /** How often the gateway was asked to refund. */
  @Column('integer')
  attempts: number;

  /** When it was asked last; null: never, or by a version that did not note it. */
  @Column('timestamptz', { name: 'asked_at', nullable: true })
  askedAt: Date | null;

  /** Answers that settled nothing. */
  @Column('integer')
  checks: number;

  /** Answers in a row that the gateway does not know the refund. */
  @Column('integer', { name: 'not_known' })
  notKnown: number;

  /** When somebody must look at it again; null when nobody must. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Why a person must decide. */
  @Column('text', { nullable: true })
  review: string | null;

  /** How often one was asked for. */
  @Column('integer')
  reviews: number;

  /** Grows with each step: of two who read the same one, the second fails. */
  @Column('integer')
  version: number;

  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../../core/database/rows';
import type { Currency } from '../../../core/money/money';
import type { Refused } from '../../../providers/answers';
import type { DisputeEvidence, DisputeReason } from '../card-issuer';

export const DISPUTE_STATUSES = ['open', 'under_review', 'won', 'lost', 'withdrawn'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** Which states a dispute may go to from each. Total: a state without a row does not compile. */
const TRANSITIONS: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  open: ['under_review', 'won', 'lost', 'withdrawn'],
  under_review: ['won', 'lost', 'withdrawn'],
  won: [],
  lost: [],
  withdrawn: [],
};

/** A step that the table does not have is a fault of ours. */
export function assertTransition(from: DisputeStatus, to: DisputeStatus): void {
  if (!TRANSITIONS[from].includes(to)) throw new Error(`a dispute cannot go from ${from} to ${to}`);
}

/** What of a card transaction stays in dispute, or was won back. Minor units. */
export const disputedOf = (dispute: Readonly<Dispute>): bigint =>
  isResolved(dispute.status) ? creditedOf(dispute) : dispute.amount;

export const isResolved = (status: DisputeStatus): boolean => TRANSITIONS[status].length === 0;

/** What a card got for a dispute so far, and keeps if it stays as it is. Minor units. */
export function creditedOf({ status, amount, wonAmount, provisionalCredit }: Readonly<Dispute>): bigint {
  if (status === 'won') return wonAmount ?? amount;
  return status === 'open' || status === 'under_review' ? (provisionalCredit ?? 0n) : 0n;
}

/** What was paid by card and is not accepted. Amounts in minor units; times are those of the account's clock. */
@Entity('disputes')
export class Dispute {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation, and what the issuer knows it by. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'card_id' })
  cardId: string;

  @Column('uuid', { name: 'card_transaction_id' })
  cardTransactionId: string;

  @Column('text')
  status: DisputeStatus;

  @MinorColumn()
  amount: bigint;

  @Column('text')
  currency: Currency;

  @Column('text')
  reason: DisputeReason;

  @Column('jsonb')
  evidence: DisputeEvidence;

  /** That of the card. */
  @Column('text')
  issuer: string;

  /** The issuer's own id, once it said so. */
  @Column('text', { name: 'issuer_reference', nullable: true })
  issuerReference: string | null;

  /** What the issuer credited before it decided; it stays said when that was taken back. */
  @MinorColumn({ name: 'provisional_credit', nullable: true })
  provisionalCredit: bigint | null;

  /** What of it the issuer let the cardholder have, where it is won in part; null: all that is in dispute. */
  @MinorColumn({ name: 'won_amount', nullable: true })
  wonAmount: bigint | null;

  /** `requested`: the issuer is asked to let it go. `refused`: it did not. */
  @Column('text', { nullable: true })
  withdrawal: 'requested' | 'refused' | null;

  @Column('jsonb', { nullable: true })
  failure: Refused | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** How often the issuer was asked to take it up. */
  @Column('integer')
  attempts: number;

  /** Answers in a row from which nothing followed. */
  @Column('integer')
  checks: number;

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

  @Column('timestamptz', { name: 'resolved_at', nullable: true })
  resolvedAt: Date | null;
}

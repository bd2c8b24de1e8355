import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';

/**
 * `received`: somebody told of it, and the provider is asked, or a person; `credited`: the wallet has it;
 * `to_be_returned`: it goes back to the payer, and the provider still has it; `failed`: it never came.
 */
export const DEPOSIT_STATUSES = ['received', 'credited', 'to_be_returned', 'returned', 'failed'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** Which states a deposit may go to from each. Total: a state without a row does not compile. */
const TRANSITIONS: Readonly<Record<DepositStatus, readonly DepositStatus[]>> = {
  received: ['credited', 'to_be_returned', 'returned', 'failed'],
  credited: [],
  to_be_returned: ['returned'],
  returned: [],
  failed: [],
};

/** Money that came after all, or that does not go back: only a person may say so. */
const BY_REVIEW: Readonly<Partial<Record<DepositStatus, readonly DepositStatus[]>>> = {
  to_be_returned: ['credited'],
  failed: ['credited', 'to_be_returned'],
};

/** A step that the table does not have is a fault of ours. */
export function assertDepositTransition(from: DepositStatus, to: DepositStatus, isReview: boolean): void {
  const allowed = [...TRANSITIONS[from], ...((isReview && BY_REVIEW[from]) || [])];
  if (!allowed.includes(to)) throw new Error(`a deposit cannot go from ${from} to ${to}`);
}

/** How a deposit was settled that did not fit its account; by a person, or by what the account asked for. */
export const DEPOSIT_RESOLUTIONS = ['accept_received', 'refund_payer', 'failed'] as const;
export type DepositResolution = (typeof DEPOSIT_RESOLUTIONS)[number];

/** Who paid, as the provider says. */
export interface Payer {
  readonly name: string;
  readonly bank: string | null;
  /** `******6789`: the whole number is not kept. */
  readonly account_number_masked: string | null;
}

/** One transfer that arrived at a virtual account. Amounts in minor units. */
@Entity('deposits')
export class Deposit {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time at which somebody told of it first. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'virtual_account_id' })
  virtualAccountId: string;

  @Column('text')
  provider: string;

  /** The provider's own id of the transfer: each is one deposit. */
  @Column('text', { name: 'provider_reference' })
  providerReference: string;

  /** What whoever told of it first said. Never changed, and never believed. */
  @MinorColumn({ name: 'told_amount' })
  toldAmount: bigint;

  @Column('text', { name: 'told_currency' })
  toldCurrency: string;

  @Column('text')
  status: DepositStatus;

  /** What the provider says that it has; this and the next five are null until it was asked, and then stay. */
  @MinorColumn({ nullable: true })
  amount: bigint | null;

  /** ISO 4217 as the provider says it; not always one of ours. */
  @Column('text', { nullable: true })
  currency: string | null;

  @Column('jsonb', { nullable: true })
  payer: Payer | null;

  /** What of it the provider keeps, as it said when it was asked; null: it did not say. */
  @MinorColumn({ name: 'provider_fee', nullable: true })
  providerFee: bigint | null;

  /** By which banks find a transfer. */
  @Column('text', { name: 'session_id', nullable: true })
  sessionId: string | null;

  /** When the bank had it, by the account's clock. */
  @Column('timestamptz', { name: 'arrived_at', nullable: true })
  arrivedAt: Date | null;

  /** The wallet that has it. */
  @Column('uuid', { name: 'wallet_id', nullable: true })
  walletId: string | null;

  /** The credit. */
  @Column('uuid', { name: 'transaction_id', nullable: true })
  transactionId: string | null;

  @Column('text', { nullable: true })
  resolution: DepositResolution | null;

  /** Why a person must decide; while it stands nothing changes by itself. */
  @Column('text', { nullable: true })
  review: string | null;

  /** How often one was asked for. */
  @Column('integer')
  reviews: number;

  /** When somebody must look at it again, by the account's clock; null when nobody must. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Times that the provider was asked without an answer that settles it. */
  @Column('integer')
  checks: number;

  /** Grows with each step: of two who read the same one, the second fails. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';
import type { TransactionType } from '../../vocabulary/products';

export const DIRECTIONS = ['debit', 'credit'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const TRANSACTION_STATUSES = ['pending', 'processing', 'successful', 'failed', 'cancelled', 'reversed'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** One account's record of one money movement. Amounts in minor units. */
@Entity('transactions')
export class Transaction {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'wallet_id' })
  walletId: string;

  @Column('text')
  type: TransactionType;

  @Column('text')
  direction: Direction;

  @Column('text')
  status: TransactionStatus;

  @MinorColumn()
  amount: bigint;

  @MinorColumn()
  fee: bigint;

  @MinorColumn()
  commission: bigint;

  @Column('text')
  currency: Currency;

  /** What moved the money: a transfer, seen from its own account only, or a card. */
  @Column('uuid', { name: 'source_id', nullable: true })
  sourceId: string | null;

  /** The wallet on the other side. */
  @Column('uuid', { name: 'counterparty_id', nullable: true })
  counterpartyId: string | null;

  /** Available balance of the wallet before and after. */
  @MinorColumn({ name: 'balance_before', nullable: true })
  balanceBefore: bigint | null;

  @MinorColumn({ name: 'balance_after', nullable: true })
  balanceAfter: bigint | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  recipient: string | null;

  @Column('jsonb', { nullable: true })
  details: Record<string, unknown> | null;

  /** What in `details` is as good as cash: sealed JSON, whose masked copy stands in `details`. */
  @Column('bytea', { nullable: true })
  secrets: Buffer | null;

  @Column('text', { name: 'provider_name', nullable: true })
  providerName: string | null;

  @Column('text', { name: 'provider_reference', nullable: true })
  providerReference: string | null;

  @Column('integer', { name: 'provider_attempts' })
  providerAttempts: number;

  @Column('jsonb', { nullable: true })
  failure: Record<string, unknown> | null;

  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  @Column('uuid', { nullable: true })
  reverses: string | null;

  @Column('uuid', { name: 'reversed_by', nullable: true })
  reversedBy: string | null;

  /** A person must decide, or look at it. */
  @Column('boolean', { name: 'needs_review' })
  needsReview: boolean;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';
import type { TransactionType } from '../../vocabulary/products';

export const REPORT_KINDS = ['transactions', 'settlements', 'fees', 'commissions', 'payouts'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const REPORT_FORMATS = ['csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export const REPORT_STATUSES = ['pending', 'ready', 'failed', 'expired'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** Which lines are in a report; all of its kind without any. */
export interface ReportFilters {
  /** Wallet uuid. */
  readonly walletId?: string;
  readonly currency?: Currency;
  readonly type?: TransactionType;
}

/** What happened in all wallets of an account, made into a file. */
@Entity('reports')
export class Report {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: ReportKind;

  @Column('text')
  format: ReportFormat;

  /** As asked for: a day of the account (`2026-11-01`), or a moment in ISO 8601. */
  @Column('text', { name: 'period_from' })
  from: string;

  @Column('text', { name: 'period_to' })
  to: string;

  @Column('jsonb')
  filters: ReportFilters;

  @Column('text')
  status: ReportStatus;

  /** How often somebody began to make it: the pieces of the last one count. */
  @Column('integer')
  attempt: number;

  /** Every day of it is closed, in each wallet: made again it is the same. */
  @Column('boolean', { name: 'is_closed', nullable: true })
  isClosed: boolean | null;

  @Column('integer', { name: 'row_count', nullable: true })
  rows: number | null;

  @MinorColumn({ name: 'byte_count', nullable: true })
  bytes: bigint | null;

  /** SHA-256 of the file. */
  @Column('bytea', { nullable: true })
  digest: Buffer | null;

  @Column('uuid', { name: 'request_id' })
  requestId: string;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  /** When it is to be made, or its file to be removed, by the account's clock. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** When its file is gone, by the account's clock. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;
}

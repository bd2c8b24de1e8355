import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';

/** What an account may pay out in a currency. Operators set it; without a row nothing is limited. Minor units. */
@Entity('payout_rules')
export class PayoutRule {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  @PrimaryColumn('text')
  currency: Currency;

  /** The largest payout. */
  @MinorColumn({ name: 'single_limit', nullable: true })
  singleLimit: bigint | null;

  /** Of all payouts within 24 hours. */
  @MinorColumn({ name: 'daily_limit', nullable: true })
  dailyLimit: bigint | null;

  /** Larger ones wait for a second person. */
  @MinorColumn({ name: 'approval_above', nullable: true })
  approvalAbove: bigint | null;

  /** Grows with each payout that was counted: of two that read the same sum, the second fails. */
  @MinorColumn()
  orders: bigint;
}

/** A payout that needs a second person. */
@Entity('payout_approvals')
export class PayoutApproval {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** Of the transaction. */
  @PrimaryColumn('uuid')
  id: string;

  /** Who ordered it; null: an API key did. */
  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy: string | null;

  @Column('text', { nullable: true })
  decision: 'approved' | 'declined' | null;

  @Column('uuid', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;
}

import { Entity, PrimaryColumn } from 'typeorm';
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

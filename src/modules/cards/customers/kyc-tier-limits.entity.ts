import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../../core/database/rows';
import type { Currency } from '../../../core/money/money';

/** What cardholders of a tier may have on cards, in minor units. Operators set it; null, or no row: no limit. */
@Entity('kyc_tier_limits')
export class KycTierLimits {
  @PrimaryColumn('boolean')
  livemode: boolean;

  /** 0: of who is not verified. */
  @PrimaryColumn('integer')
  tier: number;

  /** That of cards. */
  @PrimaryColumn('text')
  currency: Currency;

  /** Cards that have not ended, of a cardholder. */
  @Column('integer', { name: 'cards_max', nullable: true })
  cardsMax: number | null;

  /** The largest load. */
  @MinorColumn({ name: 'load_single_max', nullable: true })
  loadSingleMax: bigint | null;

  /** Of all loads of a cardholder's cards within 24 hours. */
  @MinorColumn({ name: 'load_daily_max', nullable: true })
  loadDailyMax: bigint | null;

  /** What a card may have on it after a load. */
  @MinorColumn({ name: 'balance_max', nullable: true })
  balanceMax: bigint | null;

  /** Who set them, and why. */
  @Column('text')
  person: string;

  @Column('text')
  reason: string;

  @Column('timestamptz', { name: 'set_at' })
  setAt: Date;
}

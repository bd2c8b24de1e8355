import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import type { Tx } from '../../core/database/unit-of-work';
import { KycTierLimits } from './customers/kyc-tier-limits.entity';

export type TierLimits = Pick<KycTierLimits, 'cardsMax' | 'loadSingleMax' | 'loadDailyMax' | 'balanceMax'>;
export type TierKey = Pick<KycTierLimits, 'livemode' | 'tier'>;

const CURRENCY = 'USD';

/** What operators say cardholders of a tier may have on cards; `CustomersService` holds them to it. */
@Injectable()
export class KycLimits {
  constructor(
    @InjectRepository(KycTierLimits) private readonly limits: Repository<KycTierLimits>,
    private readonly control: ControlCell,
  ) {}

  /** By mode and tier; what is not there has no limit. */
  list(): Promise<KycTierLimits[]> {
    return this.limits.find({ order: { livemode: 'DESC', tier: 'ASC' } });
  }

  /**
   * Counts from the next card or load on. For operators: no running process of the service may. Gives what held before.
   */
  async set(
    tx: Tx,
    { livemode, tier }: TierKey,
    { cardsMax, loadSingleMax, loadDailyMax, balanceMax }: TierLimits,
    { person, reason }: Pick<KycTierLimits, 'person' | 'reason'>,
  ): Promise<TierLimits | null> {
    this.control.requireHere();
    const before = await tx.findOneBy(KycTierLimits, { livemode, tier, currency: CURRENCY });
    await tx.query(
      `INSERT INTO kyc_tier_limits (livemode, tier, currency, cards_max, load_single_max, load_daily_max, balance_max,
                                    person, reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT ON CONSTRAINT kyc_tier_limits_pkey DO UPDATE SET cards_max = excluded.cards_max,
         load_single_max = excluded.load_single_max, load_daily_max = excluded.load_daily_max,
         balance_max = excluded.balance_max, person = excluded.person, reason = excluded.reason,
         set_at = excluded.set_at`,
      [
        livemode,
        tier,
        CURRENCY,
        cardsMax,
        ...[loadSingleMax, loadDailyMax, balanceMax].map((amount) => amount?.toString()),
        person,
        reason,
      ],
    );
    return before;
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { ReadPipeline } from '../../core/database/database.module';
import { found } from '../../core/errors/not-found';
import type { Currency } from '../../core/money/currencies';
import type { CardKey } from './authorizations.types';
import { SELECT_SPENDING } from './card-transactions.queries';
import type { CardStatus } from './cards.states';
import { DECLINED_BY_STATUS, type DeclineReason } from './declines.types';
import { type Ask, type Controls, refusalOf, type Spent, startOf } from './spending-controls.batch';

/** A card as an authorization is decided on it. */
export interface Spending extends CardKey {
  readonly currency: Currency;
  /** Number of authorizations that were given so far. */
  readonly authorizations: bigint;
  readonly refusal: (ask: Ask) => DeclineReason | null;
  /** The account's present. */
  readonly now: Date;
}

interface SpendingRow extends Record<keyof Spent, string> {
  currency: Currency;
  status: CardStatus;
  expires_at: Date | null;
  spending_controls: Controls;
  authorizations: string;
}

/** What a card may still be used for. */
@Injectable()
export class AuthorizationLimits {
  constructor(
    private readonly reads: ReadPipeline,
    private readonly clock: Clock,
  ) {}

  /** Throws `NotFound`. */
  async read({ accountId, livemode, id }: CardKey): Promise<Spending> {
    const now = await this.clock.now({ accountId, livemode });
    const starts = (['daily', 'weekly', 'monthly', 'all_time'] as const).map((interval) => startOf(interval, now));
    const { rows } = await this.reads.query<SpendingRow>(SELECT_SPENDING, [accountId, livemode, id, ...starts]);
    const row = found(rows[0], 'card');
    const spent: Spent = {
      daily: BigInt(row.daily),
      weekly: BigInt(row.weekly),
      monthly: BigInt(row.monthly),
      all_time: BigInt(row.all_time),
    };
    const isPast = row.expires_at !== null && row.expires_at <= now;
    const refusal = (ask: Ask) =>
      DECLINED_BY_STATUS[row.status] ?? (isPast ? 'card_expired' : refusalOf(ask, row.spending_controls, spent));
    return {
      accountId,
      livemode,
      id,
      currency: row.currency,
      authorizations: BigInt(row.authorizations),
      refusal,
      now,
    };
  }
}

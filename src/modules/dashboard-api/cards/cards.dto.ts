import { ApiProperty } from '@nestjs/swagger';
import { Country, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { AmountBound, DateTime, Flag, ManyOf, PageQuery } from '../../../core/http/query-fields';
import { CURRENCIES, type Currency, sumToJsonNumber, toJsonNumber } from '../../../core/money/money';
import {
  type CardSpending,
  CUSTOMER_STATES,
  type CustomerAllowance,
  type CustomerRow,
  type CustomerSearch,
  type UsesSearch,
} from '../../cards/card-overview';
import { CardTransactionDto } from '../../cards/card-transaction.dto';
import {
  CARD_TRANSACTION_STATUSES,
  CARD_TRANSACTION_TYPES,
  type CardTransactionStatus,
  type CardTransactionType,
} from '../../cards/card-transaction.entity';

const ID_MAX = 64;
const TIERS = ['0', '1', '2', '3'] as const;

/** Cardholders that are looked for. */
export class CustomerSearchQuery extends PageQuery {
  @Flag()
  livemode: boolean = false;

  @Text(128, { optional: true })
  q?: string;

  @ManyOf(CUSTOMER_STATES)
  kyc_status?: CustomerRow['kycStatus'][];

  @OneOf(TIERS, { optional: true })
  kyc_tier?: (typeof TIERS)[number];

  @Flag({ optional: true })
  needs_review?: boolean;

  static searchOf({ q, kyc_status, kyc_tier, needs_review }: CustomerSearchQuery): CustomerSearch {
    const tier = kyc_tier === undefined ? undefined : (TIERS.indexOf(kyc_tier) as 0 | 1 | 2 | 3);
    return {
      ...(q !== undefined && { q }),
      ...(kyc_status && { kyc_status }),
      ...(tier !== undefined && { kyc_tier: tier }),
      ...(needs_review !== undefined && { needs_review }),
    };
  }
}

export class FoundCustomerDto {
  id: string;
  name: string;
  email: string;
  phone: string;
  @ApiProperty({ enum: CUSTOMER_STATES })
  kyc_status: CustomerRow['kycStatus'];
  kyc_tier: number;
  needs_review: boolean;
  /** Cards that have not ended. */
  cards: number;
  /** What was personal is gone. */
  anonymized: boolean;
  created_at: Date;

  static of(this: void, row: CustomerRow): FoundCustomerDto {
    return {
      id: encodeId('cus', row.id),
      name: row.name,
      email: row.email,
      phone: row.phone,
      kyc_status: row.kycStatus,
      kyc_tier: row.kycTier,
      needs_review: row.needsReview,
      cards: row.cards,
      anonymized: row.anonymized,
      created_at: timeOf(row.id),
    };
  }
}

export class FoundCustomersDto {
  data: FoundCustomerDto[];
  /** On all pages. */
  total: number;
  next_cursor: string | null;
}

/** What a cardholder may have on cards, and what of it is used. Minor units of US dollars; null: no limit. */
export class CustomerAllowanceDto {
  tier: number;
  currency: string;
  cards_max: number | null;
  /** That have not ended. */
  cards: number;
  load_single_max: number | null;
  load_daily_max: number | null;
  /** Within 24 hours. Null: more than a number holds. */
  loaded: number | null;
  balance_max: number | null;

  static of(this: void, allowance: CustomerAllowance): CustomerAllowanceDto {
    const minor = (amount: bigint | null) => (amount === null ? null : toJsonNumber(amount));
    return {
      tier: allowance.tier,
      currency: 'USD',
      cards_max: allowance.cardsMax,
      cards: allowance.cards,
      load_single_max: minor(allowance.loadSingleMax),
      load_daily_max: minor(allowance.loadDailyMax),
      loaded: sumToJsonNumber(allowance.loaded),
      balance_max: minor(allowance.balanceMax),
    };
  }
}

/** Uses of all cards that are looked for. Amounts in minor units. */
export class CardUsesQuery extends PageQuery implements UsesSearch {
  @Flag()
  livemode: boolean = false;

  @ManyOf(CARD_TRANSACTION_STATUSES)
  status?: CardTransactionStatus[];

  @ManyOf(CARD_TRANSACTION_TYPES)
  type?: CardTransactionType[];

  @Text(ID_MAX, { optional: true })
  card_id?: string;

  @Text(ID_MAX, { optional: true })
  customer_id?: string;

  @Text(ID_MAX, { optional: true })
  dispute_id?: string;

  @Text(128, { optional: true })
  merchant?: string;

  @Text(4, { optional: true })
  mcc?: string;

  @Country({ optional: true })
  country?: string;

  @AmountBound()
  amount_gte?: number;

  @AmountBound()
  amount_lte?: number;

  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;
}

export class CardUsesDto {
  data: CardTransactionDto[];
  next_cursor: string | null;
}

/** Of one merchant category. Minor units. */
export class CategorySpendingDto {
  /** ISO 18245; null: nobody was told. */
  mcc: string | null;
  count: number;
  /** Null: more than a number holds. */
  amount: number | null;
}

/**
 * Minor units; limits count what is held and what was taken, also where it came back. Null: more than a number holds.
 */
export class CardUsedDto {
  daily: number | null;
  weekly: number | null;
  monthly: number | null;
  all_time: number | null;
}

/** What a card was used for. */
export class CardSpendingDto {
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** By the account's clock: 30 days ago. */
  since: Date;
  /** What is held and what was taken, less what came back; most first. */
  data: CategorySpendingDto[];
  used: CardUsedDto;

  static of(this: void, { currency, since, categories, used }: CardSpending): CardSpendingDto {
    return {
      currency,
      since,
      data: categories.map(({ mcc, count, amount }) => ({ mcc, count, amount: sumToJsonNumber(amount) })),
      used: {
        daily: sumToJsonNumber(used.daily),
        weekly: sumToJsonNumber(used.weekly),
        monthly: sumToJsonNumber(used.monthly),
        all_time: sumToJsonNumber(used.all_time),
      },
    };
  }
}

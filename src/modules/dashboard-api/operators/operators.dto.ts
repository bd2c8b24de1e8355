import { ApiProperty } from '@nestjs/swagger';
import { found } from '../../../core/errors/domain-error';
import { Amount, CurrencyCode, field, Flag, OneOf, Text } from '../../../core/http/fields';
import { decodeId } from '../../../core/http/ids';
import { CURRENCIES, type Currency, toJsonNumber } from '../../../core/money/money';
import { DECISIONS, type PaymentDecision } from '../../payments/payment-review.service';
import type { FeeRule } from '../../accounts/fees.service';
import type { RouteKey } from '../../../providers/routes';
import { REFUND_DECISIONS, type RefundDecision } from '../../payments/refund-review.service';
import { type Decision, PURCHASE_DECISIONS } from '../../purchases/review.service';
import { DEPOSIT_DECISIONS, type DepositDecision } from '../../virtual-accounts/deposit-review.service';
import { FEE_PRODUCTS, type FeeProduct, ROUTED_PRODUCTS, type RoutedProduct } from '../../../vocabulary/products';

const NAME_MAX = 64;
const BASIS_POINTS_MAX = 10_000;
const MINUTES = [5, 60, 1_440];

const isBasisPoints = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= BASIS_POINTS_MAX;

/** Of which time calls are counted. */
export class HealthQuery {
  @OneOf(MINUTES.map(String), { optional: true })
  minutes: string = '60';
}

export class SetFeeDto {
  @OneOf(FEE_PRODUCTS)
  product: FeeProduct;

  @Text(NAME_MAX)
  tier: string;

  @CurrencyCode()
  currency: Currency;

  /** Minor units. */
  @Amount({ min: 0 })
  flat: number;

  @field({ type: 'integer', minimum: 0, maximum: BASIS_POINTS_MAX }, [
    { name: 'basis_points', says: `must be a whole number from 0 to ${BASIS_POINTS_MAX}`, holds: isBasisPoints },
  ])
  basis_points: number;

  /** Minor units; null: none. */
  @Amount({ min: 0, optional: true })
  cap?: number | null;

  static ruleOf(this: void, dto: SetFeeDto): FeeRule {
    const { product, tier, currency, flat, basis_points: basisPoints, cap = null } = dto;
    return { product, tier, currency, flat: BigInt(flat), basisPoints, cap: cap === null ? null : BigInt(cap) };
  }
}

export class SwitchRouteDto {
  @OneOf(ROUTED_PRODUCTS)
  product: RoutedProduct;

  @Text(NAME_MAX)
  network: string;

  @Flag()
  livemode: boolean;

  @Text(NAME_MAX)
  provider: string;

  @Flag()
  enabled: boolean;

  static keyOf(this: void, { product, network, livemode, provider }: SwitchRouteDto): RouteKey {
    return { product, network, livemode, provider };
  }
}

/** A fee as it is shown: flat plus basis points of the amount, at most the cap. Minor units. */
export class FeeDto {
  @ApiProperty({ enum: FEE_PRODUCTS })
  product: FeeProduct;
  tier: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  flat: number;
  basis_points: number;
  cap: number | null;

  static of(this: void, { product, tier, currency, flat, basisPoints, cap }: FeeRule): FeeDto {
    return {
      product,
      tier,
      currency,
      flat: toJsonNumber(flat),
      basis_points: basisPoints,
      cap: cap === null ? null : toJsonNumber(cap),
    };
  }
}

export class FeesDto {
  data: FeeDto[];
}

/** Which provider is asked for a network, and in which order. */
export class ProviderRouteDto {
  @ApiProperty({ enum: ROUTED_PRODUCTS })
  product: RoutedProduct;
  /** `*`: every network without routes of its own. */
  network: string;
  livemode: boolean;
  provider: string;
  position: number;
  /** Among equal positions: how often it comes first. */
  weight: number;
  enabled: boolean;
}

/** Calls of one kind to one provider that ended alike. */
export class ProviderOutcomeDto {
  call: string;
  outcome: string;
  calls: number;
  mean_ms: number;
  last_at: Date;
}

/** Calls to one provider. */
export class ProviderCallsDto {
  product: string;
  provider: string;
  livemode: boolean;
  calls: number;
  /** Of outcomes that nobody can tell, from 0 to 1. */
  unknown_rate: number;
  mean_ms: number;
  outcomes: ProviderOutcomeDto[];
}

export class ProvidersDto {
  minutes: number;
  routes: ProviderRouteDto[];
  calls: ProviderCallsDto[];
}

const ID_MAX = 64;
const NOTE_MAX = 1_000;

/** What people decide about, by the prefix of its id. */
const REVIEWED = { pay: 'payment', rfd: 'refund', txn: 'transaction', dep: 'deposit' } as const;

class ReviewedDto {
  /** Whose it is: `acct_…`. */
  @Text(ID_MAX)
  account_id: string;

  @Flag()
  livemode: boolean;

  /** The evidence: what the other side said, and where. */
  @Text(NOTE_MAX)
  note: string;

  /** Throws `NotFound` where an id is none. */
  static keyOf(this: void, { account_id, livemode }: ReviewedDto, prefix: keyof typeof REVIEWED, id: string) {
    return {
      accountId: found(decodeId('acct', account_id), 'account', '/account_id'),
      livemode,
      id: found(decodeId(prefix, id), REVIEWED[prefix]),
    };
  }
}

export class ResolvePaymentDto extends ReviewedDto {
  @OneOf(DECISIONS)
  outcome: PaymentDecision;

  /** A wallet to credit instead of the one that the payment names: of the currency that came. */
  @Text(ID_MAX, { optional: true })
  wallet_id?: string;
}

export class ResolveDepositDto extends ReviewedDto {
  @OneOf(DEPOSIT_DECISIONS)
  outcome: DepositDecision;

  /** A wallet to credit instead of the virtual account's own: of the currency that came. */
  @Text(ID_MAX, { optional: true })
  wallet_id?: string;
}

export class ResolvePurchaseDto extends ReviewedDto {
  @OneOf(PURCHASE_DECISIONS)
  outcome: Decision;
}

export class ResolveRefundDto extends ReviewedDto {
  @OneOf(REFUND_DECISIONS)
  outcome: RefundDecision;
}

import { found } from '../../../core/errors/not-found';
import { Amount, CurrencyCode, field, Flag, OneOf, Text } from '../../../core/http/fields';
import { decodeId } from '../../../core/http/ids';
import type { Currency } from '../../../core/money/currencies';
import { toJsonNumber } from '../../../core/money/money';
import { DECISIONS, type PaymentDecision } from '../../payments/payment-review.service';
import { FEE_PRODUCTS, type FeeProduct, type FeeRule } from '../../pricing/fees.service';
import type { RouteKey } from '../../../providers/provider-health';
import { ROUTED_PRODUCTS, type RoutedProduct } from '../../../providers/registry';
import { type Decision, PURCHASE_DECISIONS } from '../../purchases/review.service';

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

/** A fee as it is shown. Minor units. */
export const presentFee = ({ product, tier, currency, flat, basisPoints, cap }: FeeRule): object => ({
  product,
  tier,
  currency,
  flat: toJsonNumber(flat),
  basis_points: basisPoints,
  cap: cap === null ? null : toJsonNumber(cap),
});

const ID_MAX = 64;
const NOTE_MAX = 1_000;

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
  static keyOf(this: void, { account_id, livemode }: ReviewedDto, prefix: 'pay' | 'txn', id: string) {
    return {
      accountId: found(decodeId('acct', account_id), 'account', '/account_id'),
      livemode,
      id: found(decodeId(prefix, id), prefix === 'pay' ? 'payment' : 'transaction'),
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

export class ResolvePurchaseDto extends ReviewedDto {
  @OneOf(PURCHASE_DECISIONS)
  outcome: Decision;
}

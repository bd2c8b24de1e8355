import { Amount, CurrencyCode, field, Flag, OneOf, Text } from '../../core/http/fields';
import type { Currency } from '../../core/money/currencies';
import { toJsonNumber } from '../../core/money/money';
import type { RouteKey } from '../pricing/provider-health.service';
import { FEE_PRODUCTS, type FeeProduct, type FeeRule } from '../pricing/fees.service';
import { ROUTED_PRODUCTS, type RoutedProduct } from '../pricing/routes.service';

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

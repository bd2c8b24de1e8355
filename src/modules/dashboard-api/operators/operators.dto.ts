import { ApiProperty } from '@nestjs/swagger';
import type { Cell } from '../../../core/cells/cells';
import { Amount, CurrencyCode, field, Flag, OneOf, Text } from '../../../core/http/fields';
import { CURRENCIES, type Currency, toJsonNumber } from '../../../core/money/money';
import type { FeeRule } from '../../accounts/fees.service';
import type { RouteKey } from '../../../providers/routes';
import { FEE_PRODUCTS, type FeeProduct, ROUTED_PRODUCTS, type RoutedProduct } from '../../../vocabulary/products';

const NAME_MAX = 64;
const BASIS_POINTS_MAX = 10_000;
const MINUTES = [5, 60, 1_440];

const isBasisPoints = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= BASIS_POINTS_MAX;

export class OperatorCellDto {
  name: string;
  /** Of the session. */
  own: boolean;
  /** What is the same in all cells is changed there. */
  control: boolean;
  /** How many slots it keeps. */
  slots: number;
  /** Within two seconds. */
  answers: boolean;

  static of(
    this: void,
    { name, isControl }: Cell,
    facts: Pick<OperatorCellDto, 'own' | 'slots' | 'answers'>,
  ): OperatorCellDto {
    return { name, control: isControl, ...facts };
  }
}

export class OperatorCellsDto {
  /** By name; none where there is only one. */
  data: OperatorCellDto[];
}

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

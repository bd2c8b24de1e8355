import { ApiProperty } from '@nestjs/swagger';
import { Country, NetworkName, OneOf, Text } from '../../core/http/fields';
import { ListOf } from '../../core/http/list.dto';
import { PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency } from '../../core/money/currencies';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import { type DataPlan, PLAN_TYPES, type PlanType, VALIDITY_UNITS, type ValidityUnit } from './data-plans.types';

export class DataPlansQuery extends PageQuery {
  @NetworkName({ optional: true })
  network?: string;

  @Country({ optional: true })
  country?: string;

  @OneOf(PLAN_TYPES, { optional: true })
  type?: PlanType;

  @Text(100, { optional: true, example: '1 gb month', description: 'Words that the name or the code must have.' })
  q?: string;
}

/** How long the data can be used. */
export class ValidityDto {
  /** @example 1 */
  quantity: number;
  @ApiProperty({ enum: VALIDITY_UNITS, example: 'month' })
  unit: ValidityUnit;
}

/** Mobile data as it is sold. */
export class DataPlanDto {
  @ApiProperty({ enum: ['data_plan'] })
  object: 'data_plan';
  /** @example "mtn-sme-1gb-1m" */
  plan_code: string;
  /** Slug of the network. @example "mtn" */
  network: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
  /** @example "MTN SME 1 GB, 1 month" */
  name: string;
  @ApiProperty({ enum: PLAN_TYPES, example: 'sme' })
  type: PlanType;
  /** @example 1073741824 */
  data_bytes: number;
  validity: ValidityDto;
  /** Minor units. @example 59000 */
  price: number;
  /** For people, never to be parsed. @example "NGN 590.00" */
  price_display: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** What you get off the price, in basis points. @example 150 */
  commission_bps: number;
  /** Somebody can deliver plans of this network right now. @example true */
  available: boolean;
  updated_at: Date;

  static of(this: void, plan: DataPlan, available: boolean): DataPlanDto {
    return {
      object: 'data_plan',
      plan_code: plan.planCode,
      network: plan.network,
      country: plan.country,
      name: plan.name,
      type: plan.type,
      data_bytes: toJsonNumber(plan.dataBytes),
      validity: plan.validity,
      price: toJsonNumber(plan.price),
      price_display: displayMoney({ amount: plan.price, currency: plan.currency }),
      currency: plan.currency,
      commission_bps: plan.commissionBps,
      available,
      updated_at: plan.updatedAt,
    };
  }
}

/** A page of the catalogue. */
export class DataPlanListDto extends ListOf(DataPlanDto) {
  /** Changes whenever any plan does. @example "3f2a9c0d41b7e685" */
  catalogue_version: string;
}

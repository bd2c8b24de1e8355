import { ApiProperty } from '@nestjs/swagger';
import { Amount, Country, NetworkName, OneOf, Phone, PublicId, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { MISMATCH_RULES, type MismatchRule } from '../phones/phone.service';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import { DetailsOf, PhonePurchaseDetails } from '../transactions/transaction-details.dto';
import { type DataPlan, PLAN_TYPES, type PlanType } from './data-plan';
import type { WantedData } from './data.service';

export class BuyDataDto extends PurchaseRequestDto {
  @Phone({ unless: 'beneficiary_id' })
  phone?: string | null;

  @PublicId('ben', {
    optional: true,
    description: 'One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`.',
  })
  beneficiary_id?: string | null;

  @Country({
    optional: true,
    unless: 'beneficiary_id',
    description: "ISO 3166-1 alpha-2, of a number in local form. Without it: the plan's.",
  })
  country?: string | null;

  @Text(64, { example: 'mtn-sme-1gb-1m', description: '`plan_code` of GET /v4/data/plans.' })
  plan_code: string;

  @Amount({
    optional: true,
    example: 59_000,
    description: 'Minor units. Refuse the purchase unless the plan has this price.',
  })
  amount?: number | null;

  @NetworkName({ optional: true, description: "Slug or alias. Refuse the purchase unless it is the plan's network." })
  network?: string | null;

  @OneOf(MISMATCH_RULES, {
    optional: true,
    description:
      'What to do with a number whose range is of another network than the plan. ' +
      'Only `use_given` sells the plan to it: the number may have been ported.',
  })
  on_network_mismatch?: MismatchRule | null;
}

export const toWantedData = (dto: BuyDataDto, terms: PurchaseTermsOfRequest): WantedData => ({
  planCode: dto.plan_code,
  price: dto.amount === undefined || dto.amount === null ? null : BigInt(dto.amount),
  phone: dto.phone ?? null,
  beneficiaryId: dto.beneficiary_id ?? null,
  country: dto.country ?? null,
  network: dto.network ?? null,
  onNetworkMismatch: dto.on_network_mismatch ?? 'reject',
  terms: commonPurchase(dto, terms),
});

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
  /** @example "month" */
  unit: string;
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

/** A plan that is new or no longer what it was. */
export class PlanChangeDto {
  /** @example "mtn-1gb-1m" */
  plan_code: string;
  @ApiProperty({ enum: ['added', 'changed'] })
  kind: 'added' | 'changed';
  /** Fields of the plan that differ. @example ["price"] */
  fields: string[];
}

/** What an operator changed in the catalogue of data plans at one time. */
export class CatalogueUpdateDto {
  @ApiProperty({ enum: ['catalogue_update'] })
  object: 'catalogue_update';
  /** @example "cat_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  livemode: boolean;
  created_at: Date;
  /** Plans that are new. @example 1 */
  added: number;
  /** Plans that are no longer what they were. @example 2 */
  changed: number;
  /** The first hundred of them, by code: ask `GET /v4/data/plans` for what is on sale. */
  plans: PlanChangeDto[];

  /** Everything but what its event carries. */
  static of({ livemode }: Viewer, id: string): Pick<CatalogueUpdateDto, 'object' | 'id' | 'livemode' | 'created_at'> {
    return { object: 'catalogue_update', id: encodeId('cat', id), livemode, created_at: timeOf(id) };
  }
}

/** What `details` of a data purchase hold. */
@DetailsOf('data_purchase')
export class DataDetailsDto extends PhonePurchaseDetails {
  /** @example "mtn-sme-1gb-1m" */
  plan_code: string;
  plan_name: string;
  data_bytes: number;
  @ApiProperty({ type: () => ValidityDto })
  validity: ValidityDto;
}

import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, toJsonNumber } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import type { BillCategory, BillerItem } from './biller.entity';
import type { BillerFilters, OfferedBiller } from './catalogue.service';

export class BillersQuery extends PageQuery implements BillerFilters {
  @Text(64, { optional: true, example: 'electricity' })
  category?: string;

  @Text(2, { optional: true, example: 'NG', description: 'ISO 3166-1 alpha-2.' })
  country?: string;
}

/** A kind of billers. */
export class BillCategoryDto {
  @ApiProperty({ enum: ['bill_category'] })
  object: 'bill_category';
  /** @example "electricity" */
  code: string;
  /** @example "Electricity" */
  name: string;

  static of(this: void, { code, name }: BillCategory): BillCategoryDto {
    return { object: 'bill_category', code, name };
  }
}

export class BillCategoryListDto extends ListOf(BillCategoryDto) {}

/** The number by which a biller knows its customers. */
export class CustomerFieldDto {
  /** @example "Meter or account number" */
  label: string;
  /** Regular expression for the whole number. @example "^\\d{10,13}$" */
  pattern: string;
}

/** Somebody whose bills can be paid. Amounts in minor units. */
export class BillerDto {
  @ApiProperty({ enum: ['biller'] })
  object: 'biller';
  /** @example "ikeja-electric" */
  code: string;
  /** @example "Ikeja Electric" */
  name: string;
  /** @example "electricity" */
  category: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  customer_field: CustomerFieldDto;
  /** A payment needs a `validation_id`. */
  validation_required: boolean;
  /** What a payment can be; empty when there is nothing to choose. @example ["prepaid", "postpaid"] */
  service_types: string[];
  min_amount: number;
  max_amount: number;
  /** What you pay on top, flat. @example 10000 */
  fee: number;
  /** What you pay less, in hundredths of a per cent of the amount. @example 0 */
  commission_bps: number;
  /** Can be paid now. */
  available: boolean;

  static of(this: void, biller: OfferedBiller): BillerDto {
    return {
      object: 'biller',
      code: biller.code,
      name: biller.name,
      category: biller.category,
      country: biller.country,
      currency: biller.currency,
      customer_field: { label: biller.customerLabel, pattern: biller.customerPattern },
      validation_required: biller.validationRequired,
      service_types: biller.serviceTypes,
      min_amount: toJsonNumber(biller.minAmount),
      max_amount: toJsonNumber(biller.maxAmount),
      fee: toJsonNumber(biller.fee),
      commission_bps: biller.commissionBps,
      available: biller.available,
    };
  }
}

export class BillerListDto extends ListOf(BillerDto) {}

/** Something that a biller sells. Amounts in minor units. */
export class BillerItemDto {
  @ApiProperty({ enum: ['biller_item'] })
  object: 'biller_item';
  /** @example "dstv-compact" */
  code: string;
  /** @example "DStv Compact" */
  name: string;
  biller_code: string;
  @ApiProperty({ enum: ['fixed', 'range'] })
  amount_type: 'fixed' | 'range';
  /** Price of one; null for a range. @example 1900000 */
  amount: number | null;
  /** Least amount of a range. */
  min_amount: number | null;
  /** Largest amount of a range. */
  max_amount: number | null;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** The only service type that it is for. */
  service_type: string | null;
  /** The largest `quantity` of a payment: months of a package, or PINs. @example 12 */
  max_quantity: number;
  available: boolean;

  static of(this: void, item: BillerItem, { currency, available }: OfferedBiller): BillerItemDto {
    const { code, name, billerCode, amountType, amount, minAmount, maxAmount, serviceType, maxQuantity, enabled } =
      item;
    return {
      object: 'biller_item',
      code,
      name,
      biller_code: billerCode,
      amount_type: amountType,
      amount: amount === null ? null : toJsonNumber(amount),
      min_amount: minAmount === null ? null : toJsonNumber(minAmount),
      max_amount: maxAmount === null ? null : toJsonNumber(maxAmount),
      currency,
      service_type: serviceType,
      max_quantity: maxQuantity,
      available: enabled && available,
    };
  }
}

export class BillerItemListDto extends ListOf(BillerItemDto) {}

/** A biller that can be paid again, or no longer. */
export class BillerStatusDto {
  @ApiProperty({ enum: ['biller_status'] })
  object: 'biller_status';
  /** @example "bst_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  livemode: boolean;
  created_at: Date;
  /** @example "ikeja-electric" */
  biller_code: string;
  /** @example "Ikeja Electric" */
  name: string;
  /** Payments are accepted. */
  enabled: boolean;

  /** Everything but what its event carries. */
  static of({ livemode }: Viewer, id: string): Pick<BillerStatusDto, 'object' | 'id' | 'livemode' | 'created_at'> {
    return { object: 'biller_status', id: encodeId('bst', id), livemode, created_at: timeOf(id) };
  }
}

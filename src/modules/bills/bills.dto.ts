import { ApiProperty } from '@nestjs/swagger';
import { Amount, field, PublicId, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { CURRENCIES, type Currency, toJsonNumber } from '../../core/money/money';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import { DetailsOf, PurchaseDetails } from '../transactions/transaction-details.dto';
import type { NewValidation, WantedBill } from './bill-order';
import type { BillValidation } from './bill-validation.entity';

export class ValidateCustomerDto {
  @Text(64, { example: 'ikeja-electric' })
  biller_code: string;

  @Text(64, {
    optional: true,
    example: 'prepaid',
    description: 'What is to be bought; it narrows the bounds of the amount.',
  })
  item_code?: string | null;

  @Text(64, {
    example: '1111111111111',
    description: "The customer's number, as the biller's `customer_field` describes it.",
  })
  customer_identifier: string;

  @Text(64, { optional: true, example: 'prepaid', description: "One of the biller's `service_types`." })
  service_type?: string | null;
}

export const toNewValidation = (dto: ValidateCustomerDto): NewValidation => ({
  billerCode: dto.biller_code,
  itemCode: dto.item_code ?? null,
  customer: dto.customer_identifier,
  serviceType: dto.service_type ?? null,
});

/** What a biller says of one of its customers. Amounts in minor units. */
export class BillValidationDto {
  @ApiProperty({ enum: ['bill_validation'] })
  object: 'bill_validation';
  /** @example "val_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "ikeja-electric" */
  biller_code: string;
  item_code: string | null;
  /** @example "1111111111111" */
  customer_identifier: string;
  /** Null: good for any service type of the biller. @example "prepaid" */
  service_type: string | null;
  /** @example "Adaeze Okafor" */
  customer_name: string | null;
  address: string | null;
  /** What the customer owes; null where the biller does not say. */
  arrears: number | null;
  /** The least that the customer can pay at once. */
  min_amount: number;
  /** The most that the customer can pay at once. */
  max_amount: number;
  /** The `item_code` of the package that runs now. */
  current_plan: string | null;
  /** Price of one more month of it. */
  renewal_amount: number | null;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** A payment after this needs a new validation. */
  expires_at: Date;
  livemode: boolean;
  created_at: Date;

  static of(this: void, v: BillValidation): BillValidationDto {
    return {
      object: 'bill_validation',
      id: encodeId('val', v.id),
      biller_code: v.billerCode,
      item_code: v.itemCode,
      customer_identifier: v.customer,
      service_type: v.serviceType,
      customer_name: v.customerName,
      address: v.address,
      arrears: v.arrears === null ? null : toJsonNumber(v.arrears),
      min_amount: toJsonNumber(v.minAmount),
      max_amount: toJsonNumber(v.maxAmount),
      current_plan: v.currentPlan,
      renewal_amount: v.renewalAmount === null ? null : toJsonNumber(v.renewalAmount),
      currency: v.currency,
      expires_at: v.expiresAt,
      livemode: v.livemode,
      created_at: timeOf(v.id),
    };
  }
}

const QUANTITY_MAX = 100;

/** A whole number of months or pieces. */
const Quantity = () =>
  field(
    {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: QUANTITY_MAX,
      default: 1,
      description: "Months of a package, or PINs; at most the item's `max_quantity`.",
    },
    [
      {
        name: 'quantity',
        says: `must be a whole number from 1 to ${QUANTITY_MAX}`,
        holds: (value) => typeof value === 'number' && value % 1 === 0 && value >= 1 && value <= QUANTITY_MAX,
      },
    ],
    { optional: true, example: 1 },
  );

export class PayBillDto extends PurchaseRequestDto {
  @Text(64, { unless: 'beneficiary_id', example: 'ikeja-electric' })
  biller_code?: string | null;

  @Text(64, {
    optional: true,
    example: 'prepaid',
    description: 'What is bought; needed where the biller sells more than one thing and the beneficiary has none.',
  })
  item_code?: string | null;

  @Text(64, {
    unless: 'beneficiary_id',
    example: '1111111111111',
    description: "The customer's number, as the biller's `customer_field` describes it.",
  })
  customer_identifier?: string | null;

  @PublicId('ben', {
    optional: true,
    description:
      'One of `GET /v4/beneficiaries` of the kind `meter` or `smartcard`, instead of `biller_code` and ' +
      '`customer_identifier`. Without `validation_id` the biller is asked who it is, where it must be.',
  })
  beneficiary_id?: string | null;

  @PublicId('val', {
    optional: true,
    description: 'From `POST /v4/bills/validate`, for the same biller and customer; needed where the biller says so.',
  })
  validation_id?: string | null;

  @Text(64, {
    optional: true,
    example: 'prepaid',
    description: "One of the biller's `service_types`; needed unless the validation or the item names it.",
  })
  service_type?: string | null;

  @Amount({
    optional: true,
    description: 'Minor units. Of an item with a fixed price it must be price × quantity, if it is sent.',
  })
  amount?: number | null;

  @Quantity()
  quantity?: number | null;
}

export const toWantedBill = (dto: PayBillDto, terms: PurchaseTermsOfRequest): WantedBill => ({
  terms: commonPurchase(dto, terms),
  billerCode: dto.biller_code ?? null,
  itemCode: dto.item_code ?? null,
  customer: dto.customer_identifier ?? null,
  beneficiaryId: dto.beneficiary_id ?? null,
  validationId: dto.validation_id ?? null,
  serviceType: dto.service_type ?? null,
  amount: dto.amount === undefined || dto.amount === null ? null : BigInt(dto.amount),
  quantity: dto.quantity ?? 1,
});

/** As good as cash: masked where not said otherwise. */
class MeterTokenDto {
  /** @example "credit" */
  kind: string;
  /** @example "****************8691" */
  value: string;
  /** @example "22.2 kWh" */
  units: string | null;
}

/** As good as cash: masked where not said otherwise. */
class PinDto {
  serial: string;
  pin: string;
}

/** What `details` of a bill's payment hold. */
@DetailsOf('bill_payment')
export class BillDetailsDto extends PurchaseDetails {
  /** @example "ikeja-electric" */
  biller_code: string;
  biller_name: string;
  /** @example "prepaid" */
  item_code: string | null;
  item_name: string | null;
  /** @example "1111111111111" */
  customer_identifier: string;
  customer_name: string | null;
  service_type: string | null;
  /** @example 1 */
  quantity: number;
  receipt_number: string | null;
  @ApiProperty({ type: () => [MeterTokenDto] })
  tokens: MeterTokenDto[];
  @ApiProperty({ type: () => [PinDto] })
  pins: PinDto[];
}

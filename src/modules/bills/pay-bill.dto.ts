import { Amount, field, PublicId, Text } from '../../core/http/fields';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import type { BillOrder } from './bill-order';

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
  @Text(64, { example: 'ikeja-electric' })
  biller_code: string;

  @Text(64, {
    optional: true,
    example: 'prepaid',
    description: 'What is bought; needed where the biller sells more than one thing.',
  })
  item_code?: string | null;

  @Text(64, {
    example: '1111111111111',
    description: "The customer's number, as the biller's `customer_field` describes it.",
  })
  customer_identifier: string;

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

export const toBillOrder = (dto: PayBillDto, terms: PurchaseTermsOfRequest): BillOrder => ({
  ...commonPurchase(dto, terms),
  billerCode: dto.biller_code,
  itemCode: dto.item_code ?? null,
  customer: dto.customer_identifier,
  validationId: dto.validation_id ?? null,
  serviceType: dto.service_type ?? null,
  amount: dto.amount === undefined || dto.amount === null ? null : BigInt(dto.amount),
  quantity: dto.quantity ?? 1,
});

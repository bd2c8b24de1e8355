import { ApiProperty } from '@nestjs/swagger';
import type { TransactionType } from './transaction.entity';

/** Where a fee or commission comes from. Minor units. */
class BreakdownLineDto {
  @ApiProperty({ enum: ['fee', 'commission'] })
  kind: 'fee' | 'commission';
  /** @example 1250 */
  amount: number;
  /** The table that it stands in, or the extension that changed it. @example "catalogue" */
  by: string;
}

/** What extensions changed of the providers to ask, and of their order. */
const ROUTING = {
  type: 'array',
  items: { type: 'object', additionalProperties: true },
  required: false,
  description: 'What extensions changed of who is asked.',
} as const;

class PricedDetails {
  @ApiProperty({ type: () => [BreakdownLineDto], required: false })
  breakdown?: BreakdownLineDto[];
  @ApiProperty(ROUTING)
  routing?: object[];
}

class PurchaseDetails extends PricedDetails {
  /** True while it waits for money. */
  queued?: boolean;
  /** What the recipient got, once that is known. Minor units. @example 50000 */
  delivered_amount?: number;
  /** The operator's or biller's own reference. @example "OP-20261101-1" */
  operator_reference?: string;
}

class PhonePurchaseDetails extends PurchaseDetails {
  /** @example "+2348031234567" */
  phone: string;
  /** @example "mtn" */
  network: string;
  @ApiProperty({ enum: ['given', 'prefix'], description: 'Whether the caller named the network or the number tells.' })
  network_source: string;
}

class AirtimeDetailsDto extends PhonePurchaseDetails {
  /** What was asked for, where less was delivered: `amount` is what was delivered. Minor units. @example 50000 */
  requested_amount?: number;
  /** What was held above the price of what was delivered, and went back. Minor units. @example 24375 */
  released_amount?: number;
}

/** As a plan's own field. */
class ValidityDto {
  /** @example 1 */
  quantity: number;
  /** @example "month" */
  unit: string;
}

class DataDetailsDto extends PhonePurchaseDetails {
  /** @example "mtn-sme-1gb-1m" */
  plan_code: string;
  plan_name: string;
  data_bytes: number;
  @ApiProperty({ type: () => ValidityDto })
  validity: ValidityDto;
}

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

class BillDetailsDto extends PurchaseDetails {
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

class TransferDetailsDto {
  /** Where the transfer is this account's. @example "trf_01kabcdefghjkmnpqrstvwxyz0" */
  transfer_id?: string;
  /** What the sender wrote. @example "Rent of May" */
  narration?: string | null;
  /** Of what arrived: the sender's own reference. @example "rent-5" */
  sender_reference?: string | null;
}

class CardDetailsDto extends PricedDetails {
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id?: string;
  /** The card transaction that a fee was taken for. @example "ctx_01kabcdefghjkmnpqrstvwxyz0" */
  card_transaction_id?: string;
}

class PaymentDetailsDto extends PricedDetails {
  /** @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  payment_id: string;
  payment_reference: string | null;
  gateway_reference: string | null;
  /** What counts as paid, before the fee: `amount + fee`. Minor units. @example 100000 */
  gross?: number;
}

class DepositDetailsDto {}

/** As what it takes back has it. */
class ReversalDetailsDto {
  payment_id?: string;
  /** Of that payment. @example "order-1001" */
  payment_reference?: string | null;
  /** What the gateway calls it. @example "sbx_1_r1" */
  gateway_reference?: string;
}

/** What `details` hold, by the type of the transaction. Providers and extensions may add facts of their own. */
export const TRANSACTION_DETAILS: Record<TransactionType, new () => object> = {
  transfer_out: TransferDetailsDto,
  transfer_in: TransferDetailsDto,
  airtime_purchase: AirtimeDetailsDto,
  data_purchase: DataDetailsDto,
  bill_payment: BillDetailsDto,
  card_issue: CardDetailsDto,
  card_funding: CardDetailsDto,
  card_withdrawal: CardDetailsDto,
  card_fee: CardDetailsDto,
  payment: PaymentDetailsDto,
  deposit: DepositDetailsDto,
  reversal: ReversalDetailsDto,
};

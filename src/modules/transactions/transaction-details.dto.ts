import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';
import { ApprovalDto } from './approval.dto';
import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES, type Currency } from '../../core/money/money';

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

/** What was paid for from a wallet of another currency. Minor units of `currency`. */
class BoughtDto {
  /** The quote that this used. Null in a dry run with `convert`. @example "qte_01kabcdefghjkmnpqrstvwxyz0" */
  quote_id: string | null;
  /** Units of `currency` for one of the wallet's. @example "1542.25" */
  rate: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** @example 50000 */
  amount: number;
  fee: number;
  commission: number;
  /** What the quote buys: `amount + fee - commission`. @example 48750 */
  total: number;
  @ApiProperty({ type: () => [BreakdownLineDto] })
  breakdown: BreakdownLineDto[];
}

class PricedDetails {
  @ApiProperty({ type: () => BoughtDto, required: false })
  conversion?: BoughtDto;
  @ApiProperty({ type: () => [BreakdownLineDto], required: false })
  breakdown?: BreakdownLineDto[];
  @ApiProperty(ROUTING)
  routing?: object[];
}

export class PurchaseDetails extends PricedDetails {
  /** True while it waits for money. */
  queued?: boolean;
  /** What the recipient got, once that is known. Minor units. @example 50000 */
  delivered_amount?: number;
  /** The operator's or biller's own reference. @example "OP-20261101-1" */
  operator_reference?: string;
  /** Where one was named. @example "ben_01kabcdefghjkmnpqrstvwxyz0" */
  beneficiary_id?: string;
}

export class PhonePurchaseDetails extends PurchaseDetails {
  /** @example "+2348031234567" */
  phone: string;
  /** @example "mtn" */
  network: string;
  @ApiProperty({ enum: ['given', 'prefix'], description: 'Whether the caller named the network or the number tells.' })
  network_source: string;
}

class TransferDetailsDto {
  /** Where the transfer is this account's. @example "trf_01kabcdefghjkmnpqrstvwxyz0" */
  transfer_id?: string;
  /** What the sender wrote. @example "Rent of May" */
  narration?: string | null;
  /** Of what was sent: where one was named. @example "ben_01kabcdefghjkmnpqrstvwxyz0" */
  beneficiary_id?: string;
  /** Of what arrived: the sender's own reference. @example "rent-5" */
  sender_reference?: string | null;
}

class CardDetailsDto extends PricedDetails {
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id?: string;
  /**
   * The card transaction that a fee was taken for, or for which the wallet paid what the card lacked.
   * @example "ctx_01kabcdefghjkmnpqrstvwxyz0"
   */
  card_transaction_id?: string;
  /** Of a load: what of it paid the debt of the card. Minor units. @example 700 */
  debt_paid?: number;
}

class PaymentDetailsDto extends PricedDetails {
  /** @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  payment_id: string;
  payment_reference: string | null;
  gateway_reference: string | null;
  /** What counts as paid, before the fee: `amount + fee`. Minor units. @example 100000 */
  gross?: number;
}

class PaymentRefundDetailsDto extends PricedDetails {
  /** @example "rfd_01kabcdefghjkmnpqrstvwxyz0" */
  refund_id: string;
  /** @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  payment_id: string;
  payment_reference: string | null;
  /** What the gateway calls the refund, once it said so. */
  gateway_reference: string | null;
  approval?: ApprovalDto;
}

class ConversionDetailsDto extends PricedDetails {
  /** @example "cnv_01kabcdefghjkmnpqrstvwxyz0" */
  conversion_id: string;
  /** Units of the currency that was bought for one of that which was sold. @example "1542.25" */
  rate: string;
  /** Of what arrived: what was sold for it, for people. @example "USD 10.00" */
  sold?: string;
}

/** Who paid by bank transfer, as the bank says. */
class TransferPayerDto {
  /** @example "ADA OBI" */
  name: string;
  /** @example "Guaranty Trust Bank" */
  bank: string | null;
  /** @example "******6789" */
  account_number_masked: string | null;
}

/** Of what arrived at a virtual account; empty where an operator, or the sandbox, put money in. */
class DepositDetailsDto {
  @ApiProperty({ type: () => TransferPayerDto, required: false })
  payer?: TransferPayerDto;
  /** By which banks find a transfer. */
  session_id?: string | null;
  /** @example "vac_01kabcdefghjkmnpqrstvwxyz0" */
  virtual_account_id?: string;
  /** @example "dep_01kabcdefghjkmnpqrstvwxyz0" */
  deposit_id?: string;
}

/** As what it takes back has it. */
class ReversalDetailsDto {
  payment_id?: string;
  /** Of that payment. @example "order-1001" */
  payment_reference?: string | null;
  /** What the gateway calls it. @example "sbx_1_r1" */
  gateway_reference?: string;
}

/** Of what the module `purchases` does not sell. */
const OWN: Partial<Record<TransactionType, Type>> = {
  transfer_out: TransferDetailsDto,
  transfer_in: TransferDetailsDto,
  card_issue: CardDetailsDto,
  card_funding: CardDetailsDto,
  card_withdrawal: CardDetailsDto,
  card_fee: CardDetailsDto,
  payment: PaymentDetailsDto,
  payment_refund: PaymentRefundDetailsDto,
  conversion_out: ConversionDetailsDto,
  conversion_in: ConversionDetailsDto,
  deposit: DepositDetailsDto,
  reversal: ReversalDetailsDto,
};

/** What `details` hold, by the type of the transaction. Providers and extensions may add facts of their own. */
export const TRANSACTION_DETAILS = Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, OWN[type]])) as typeof OWN;

/** Marks what `details` of a sold product hold: each needs such a class, which its controller names, too. */
export const DetailsOf =
  (type: TransactionType) =>
  (details: Type<PurchaseDetails>): void => {
    TRANSACTION_DETAILS[type] = details;
  };

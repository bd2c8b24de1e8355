import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency } from '../../core/money/currencies';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import { PaymentCustomerDto } from './payment-request.dto';
import {
  ACCEPTANCES,
  isFinal,
  type Payment,
  PAYMENT_STATUSES,
  type PaymentAcceptance,
  type PaymentStatus,
  type StoredReversal,
} from './payment.entity';

/** Why a payment failed, or was reversed. */
export class PaymentFailureDto {
  /** @example "card_declined" */
  code: string;
  message: string;
  @ApiProperty({ enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'] })
  recovery: string;
}

const FAILURE = { type: () => PaymentFailureDto, nullable: true } as const;

/** Money that somebody is asked to pay into a wallet. Amounts in minor units. */
export class PaymentDto {
  @ApiProperty({ enum: ['payment'] })
  object: 'payment';
  /** Null in a dry run. @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: PAYMENT_STATUSES })
  status: PaymentStatus;
  /** What the payer pays. */
  amount: number;
  /** What arrived at the gateway, in `currency_received`; null while nothing did. What people decide about it does not change it. */
  amount_received: number | null;
  /** What of that went back to the payer, by a refund or a chargeback; `details.reversals` has the parts. */
  amount_refunded: number;
  /** ISO 4217; another one than `currency` where somebody paid wrongly. @example "NGN" */
  currency_received: string | null;
  @ApiProperty({
    enum: ACCEPTANCES,
    nullable: true,
    description:
      'What a person did with money that was not what was asked for: credited what came, credited what was asked for, or had it go back to the payer. Null when nobody had to.',
  })
  resolution: PaymentAcceptance | null;
  /** Kept from the amount; the wallet gets the rest. @example 1575 */
  fee: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** The amount for people, never to be parsed. @example "NGN 1,050.00" */
  amount_display: string;
  /** Through which it is paid; null while the payer can still choose. @example "sandbox_card" */
  gateway: string | null;
  /** Between which the payer can choose, in order. @example ["sandbox_card", "sandbox_bank_transfer"] */
  available_gateways: string[];
  /** The page on which it is paid: send the payer there. Whoever has the address can pay. Null in a dry run. @example "https://duka.example.com/checkout/AYkKXay…" */
  checkout_url: string | null;
  /** The wallet that is credited. */
  wallet_id: string;
  /** The credit, once there is one. */
  transaction_id: string | null;
  reference: string | null;
  description: string | null;
  @ApiProperty({ type: () => PaymentCustomerDto, nullable: true })
  customer: PaymentCustomerDto | null;
  /** @example "https://shop.example.com/paid" */
  callback_url: string | null;
  @ApiProperty(FAILURE)
  failure: PaymentFailureDto | null;
  /** What the gateway says contradicts the payment or itself: a person decides, and until then nothing is credited. */
  needs_review: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`breakdown`: where the fee comes from, and what extensions changed. `reversals`: what went back, each with the gateway’s `reference`, its `amount` and the `transaction_id` that took it.',
  })
  details: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  expires_at: Date;
  paid_at: Date | null;
  created_at: Date;
  updated_at: Date;
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('LedgerLineDto') },
    required: false,
    description: 'Only in a dry run: what the ledger would write once it is paid.',
  })
  ledger?: object[];

  static of(this: void, p: Readonly<Payment>, checkoutUrl: string | null): PaymentDto {
    return {
      object: 'payment',
      id: encodeId('pay', p.id),
      status: p.status,
      ...moneyOf(p),
      amount_display: displayMoney(p),
      resolution: p.resolution,
      gateway: gatewayOf(p),
      available_gateways: p.gateways,
      checkout_url: checkoutUrl,
      wallet_id: encodeId('wal', p.walletId),
      transaction_id: p.transactionId && encodeId('txn', p.transactionId),
      reference: p.reference,
      description: p.description,
      customer: p.customer,
      callback_url: p.callbackUrl,
      failure: p.failure,
      needs_review: p.review !== null,
      details: {
        breakdown: p.breakdown,
        ...(p.reversals.length > 0 && { reversals: p.reversals.map(presentReversal) }),
      },
      metadata: p.metadata,
      livemode: p.livemode,
      version: p.version,
      expires_at: p.expiresAt,
      paid_at: p.paidAt,
      created_at: timeOf(p.id),
      updated_at: p.updatedAt,
    };
  }

  static ofPreview(payment: Readonly<Payment>, ledger: object[]): PaymentDto {
    return { ...PaymentDto.of(payment, null), id: null, ledger };
  }
}

/** How a payment stands. */
export class PaymentStatusDto {
  /** @example "pay_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: PAYMENT_STATUSES })
  status: PaymentStatus;
  /** Nothing will change by itself any more, but for a reversal. */
  final: boolean;
  amount: number;
  amount_received: number | null;
  amount_refunded: number;
  currency_received: string | null;
  /** @example 1575 */
  fee: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** @example "sandbox_card" */
  gateway: string | null;
  reference: string | null;
  @ApiProperty(FAILURE)
  failure: PaymentFailureDto | null;
  paid_at: Date | null;
  updated_at: Date;

  static of(this: void, p: Readonly<Payment>): PaymentStatusDto {
    const { status, failure, paidAt, updatedAt, reference, review } = p;
    return {
      id: encodeId('pay', p.id),
      status,
      final: isFinal(status) && review === null,
      ...moneyOf(p),
      gateway: gatewayOf(p),
      reference,
      failure,
      paid_at: paidAt,
      updated_at: updatedAt,
    };
  }
}

const presentReversal = ({ reference, amount, transactionId }: StoredReversal) => ({
  reference,
  amount: toJsonNumber(BigInt(amount)),
  transaction_id: transactionId && encodeId('txn', transactionId),
});

const moneyOf = ({ amount, amountReceived, amountRefunded, currencyReceived, fee, currency }: Readonly<Payment>) => ({
  amount: toJsonNumber(amount),
  amount_received: amountReceived === null ? null : toJsonNumber(amountReceived),
  amount_refunded: toJsonNumber(amountRefunded),
  currency_received: currencyReceived,
  fee: toJsonNumber(fee),
  currency,
});

/** Where there is one only, there is nothing to choose. */
const gatewayOf = ({ gateway, gateways }: Readonly<Payment>): string | null =>
  gateway ?? (gateways.length === 1 ? gateways[0]! : null);

export class PaymentListDto extends ListOf(PaymentDto) {}

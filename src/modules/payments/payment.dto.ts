import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  Amount,
  CurrencyCode,
  DryRun,
  field,
  type FieldOptions,
  Metadata,
  Nested,
  OneOf,
  PublicId,
  Reference,
  Text,
} from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { AmountBound, DateTime, Flag, ManyOf, MetadataFilter, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import { refundableOf } from './credit';
import type { Customer } from './gateway';
import {
  ACCEPTANCES,
  isFinal,
  type Payment,
  PAYMENT_STATUSES,
  type PaymentAcceptance,
  type PaymentPolicy,
  type PaymentStatus,
  POLICIES,
  type StoredReversal,
} from './payment.entity';

const URL_MAX = 2_048;
const [EXPIRES_MIN_SECONDS, EXPIRES_DEFAULT_SECONDS, EXPIRES_MAX_SECONDS] = [60, 3_600, 2_592_000];
const GATEWAY = '^[a-z][a-z0-9_]{0,63}$';
const EMAIL = /^[^\s@<>]{1,64}@[^\s@<>]{1,189}$/;

const GatewayName = (options: FieldOptions) =>
  field(
    { type: 'string', pattern: GATEWAY, maxLength: 64, example: 'sandbox_card' },
    [
      {
        name: 'gatewayName',
        says: 'must be the name of a gateway',
        holds: (value) => typeof value === 'string' && new RegExp(GATEWAY).test(value),
      },
    ],
    options,
  );

/** The form only; https in live mode is for the controller to say, who knows the mode. */
const CallbackUrl = () =>
  field(
    {
      type: 'string',
      format: 'uri',
      minLength: 1,
      maxLength: URL_MAX,
      example: 'https://shop.example.com/paid',
      description:
        'Where the payer is sent at the end, with `payment_id` and `status` in the query. https; with test keys ' +
        'also http.',
    },
    [
      {
        name: 'callbackUrl',
        says: "must be an https or http URL without user and password, and its host without ; , * and '",
        holds: isCallbackUrl,
      },
    ],
    { optional: true },
  );

function isCallbackUrl(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= URL_MAX ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  // URL parsers let these pass, and in the policy of the checkout page, which names this host, they say something of
  // their own.
  return url.hostname !== '' && !/[;,*']/.test(url.hostname);
}

const ExpiresIn = () =>
  field(
    {
      type: 'integer',
      minimum: EXPIRES_MIN_SECONDS,
      maximum: EXPIRES_MAX_SECONDS,
      default: EXPIRES_DEFAULT_SECONDS,
      example: EXPIRES_DEFAULT_SECONDS,
      description: 'Seconds in which it can be paid.',
    },
    [
      {
        name: 'expiresIn',
        says: `must be a whole number from ${EXPIRES_MIN_SECONDS} to ${EXPIRES_MAX_SECONDS}`,
        holds: isExpiresIn,
      },
    ],
    { optional: true },
  );

function isExpiresIn(value: unknown): boolean {
  return typeof value === 'number' && value % 1 === 0 && value >= EXPIRES_MIN_SECONDS && value <= EXPIRES_MAX_SECONDS;
}

const Email = (options: FieldOptions) =>
  field(
    { type: 'string', maxLength: 254, example: 'ada@example.com' },
    [
      {
        name: 'email',
        says: 'must be an e-mail address',
        holds: (value) => typeof value === 'string' && EMAIL.test(value),
      },
    ],
    options,
  );

/** Who pays, as far as you know. */
export class PaymentCustomerDto implements Customer {
  @Email({ optional: true })
  email?: string;

  @Text(32, { optional: true, example: '+2348031234567' })
  phone?: string;

  @Text(100, { optional: true, example: 'Ada Obi' })
  name?: string;
}

const POLICY = 'a person decides (default), the wallet gets what came, or it goes back to the payer.';

export class CreatePaymentDto {
  @Amount({ description: 'What the payer pays, in minor units (kobo, cents). The wallet gets it less the fee.' })
  amount: number;

  @CurrencyCode()
  currency: Currency;

  @Reference({ optional: true })
  reference?: string | null;

  @Text(255, { optional: true, example: 'Order 1001', description: 'Shown to the payer.' })
  description?: string | null;

  @Nested(() => PaymentCustomerDto, { optional: true })
  customer?: PaymentCustomerDto | null;

  @PublicId('wal', {
    optional: true,
    description: 'The wallet to credit. Your oldest active wallet in the currency when absent.',
  })
  wallet_id?: string | null;

  @GatewayName({
    optional: true,
    description: 'One of those that would be available; the payer has no other choice then.',
  })
  gateway?: string | null;

  @CallbackUrl()
  callback_url?: string | null;

  @ExpiresIn()
  expires_in?: number | null;

  @OneOf(POLICIES, { optional: true, description: `When less arrives: ${POLICY}` })
  on_underpaid?: PaymentPolicy | null;

  @OneOf(POLICIES, { optional: true, description: `When more arrives: ${POLICY}` })
  on_overpaid?: PaymentPolicy | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Filters and page of a list of payments. */
export class PaymentsQuery extends PageQuery {
  @ManyOf(PAYMENT_STATUSES)
  status?: PaymentStatus[];

  @GatewayName({ optional: true, description: 'Through which it was paid.' })
  gateway?: string;

  @Reference({ optional: true })
  reference?: string;

  @CurrencyCode({ optional: true })
  currency?: Currency;

  @PublicId('wal', { optional: true })
  wallet_id?: string;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  @AmountBound()
  amount_gte?: number;

  @AmountBound()
  amount_lte?: number;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;

  @MetadataFilter()
  metadata?: Record<string, string>;
}

/** A payment as it is asked for: checked for its form. */
export interface NewPayment {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly description: string | null;
  readonly customer: Customer | null;
  /** Public id; null: the account's oldest active wallet in the currency. */
  readonly walletId: string | null;
  readonly gateway: string | null;
  readonly callbackUrl: string | null;
  /** Seconds by the account's clock. */
  readonly expiresIn: number;
  readonly onUnderpaid: PaymentPolicy;
  readonly onOverpaid: PaymentPolicy;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What a list of payments may be narrowed to: amounts in minor units, bounds on time as in `gte`, `lt`. */
export type PaymentFilters = Omit<PaymentsQuery, keyof PageQuery>;

export const toOrder = (dto: CreatePaymentDto): NewPayment => ({
  amount: BigInt(dto.amount),
  currency: dto.currency,
  reference: dto.reference ?? null,
  description: dto.description ?? null,
  customer: dto.customer ? { ...dto.customer } : null,
  walletId: dto.wallet_id ?? null,
  gateway: dto.gateway ?? null,
  callbackUrl: dto.callback_url ?? null,
  expiresIn: dto.expires_in ?? EXPIRES_DEFAULT_SECONDS,
  onUnderpaid: dto.on_underpaid ?? 'review',
  onOverpaid: dto.on_overpaid ?? 'review',
  metadata: dto.metadata ?? {},
});

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
  /** What arrived at the gateway, in `currency_received`; null while nothing did. No decision changes it. */
  amount_received: number | null;
  /** What of that went back to the payer: by your refunds, and by reversals, whose parts `details.reversals` has. */
  amount_refunded: number;
  /** What refunds may still give back; what others under way are about to give back is not in it. */
  refundable: number;
  /** ISO 4217; another one than `currency` where somebody paid wrongly. @example "NGN" */
  currency_received: string | null;
  @ApiProperty({ enum: POLICIES })
  on_underpaid: PaymentPolicy;
  @ApiProperty({ enum: POLICIES })
  on_overpaid: PaymentPolicy;
  @ApiProperty({
    enum: ACCEPTANCES,
    nullable: true,
    description: 'What a person, or the policy, did with another amount or currency. Null when nobody had to.',
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
  /**
   * The page on which it is paid: send the payer there. Whoever has the address can pay. Null in a dry run.
   * @example "https://duka.example.com/checkout/AYkKXay…"
   */
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
      '`breakdown`: where the fee comes from, and what extensions changed. ' +
      '`reversals`: what went back, each with the gateway’s `reference`, its `amount` and the ' +
      '`transaction_id` that took it.',
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
      refundable: toJsonNumber(refundableOf(p)),
      amount_display: displayMoney(p),
      on_underpaid: p.onUnderpaid,
      on_overpaid: p.onOverpaid,
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

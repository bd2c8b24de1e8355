import {
  Amount,
  CurrencyCode,
  DryRun,
  field,
  type FieldOptions,
  Metadata,
  Nested,
  PublicId,
  Reference,
  Text,
} from '../../core/http/fields';
import { AmountBound, DateTime, Flag, ManyOf, PageQuery } from '../../core/http/query-fields';
import type { Currency } from '../../core/money/currencies';
import type { Customer } from './gateway';
import type { PaymentFilters } from './payment-reads.service';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment.entity';

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
        'Where the payer is sent at the end, with `payment_id` and `status` in the query. https; with test keys also http.',
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
  // URL parsers let these pass, and in the policy of the checkout page, which names this host, they say something of their own.
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

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Filters and page of a list of payments. */
export class PaymentsQuery extends PageQuery implements PaymentFilters {
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
  readonly metadata: Readonly<Record<string, string>>;
}

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
  metadata: dto.metadata ?? {},
});

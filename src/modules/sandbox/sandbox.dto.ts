import { ApiProperty } from '@nestjs/swagger';
import { isISO4217CurrencyCode } from 'class-validator';
import {
  Amount,
  DryRun,
  field,
  type FieldOptions,
  Metadata,
  Nested,
  NestedList,
  OneOf,
  PublicId,
  Reference,
  Text,
} from '../../core/http/fields';
import { encodeId } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency, TEST_AMOUNT_MAX, toJsonNumber } from '../../core/money/money';
import { EVENT_TYPES, type EventType } from '../../vocabulary/event-types';
import { DECLINE_REASONS, type DeclineReason } from '../cards/card-transaction.entity';
import { IssuerFeeDto } from '../cards/card-transaction.dto';
import { MESSAGE_KINDS, type MessageKind } from '../cards/issuer-messages';
import { OUTAGE_MODES, type OutageMode, type SettledAs, SETTLEMENTS } from '../purchases/sandbox/scenarios';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { SandboxTransfer } from '../virtual-accounts/sandbox/sandbox.provider';

export class CreditWalletDto {
  @Amount({ max: TEST_AMOUNT_MAX })
  amount: number;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Test money that a reset took out of a wallet. */
export class ReturnedMoneyDto {
  wallet_id: string;
  /** Minor units. */
  amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  transaction_id: string;
}

/** What a reset did. */
export class SandboxResetDto {
  @ApiProperty({ enum: ['sandbox_reset'] })
  object: 'sandbox_reset';
  returned: ReturnedMoneyDto[];
  livemode: boolean;
  created_at: Date;

  static of(returned: readonly TransactionRecord[]): SandboxResetDto {
    const money = returned.map(({ walletId, amount, currency, id }): ReturnedMoneyDto => ({
      wallet_id: encodeId('wal', walletId),
      amount: toJsonNumber(amount),
      currency,
      transaction_id: encodeId('txn', id),
    }));
    return { object: 'sandbox_reset', returned: money, livemode: false, created_at: new Date() };
  }
}

const YEAR_SECONDS = 31_536_000;

export class AdvanceClockDto {
  @field(
    {
      type: 'integer',
      minimum: 1,
      maximum: YEAR_SECONDS,
      example: 20,
      description: 'How far the clock moves. Only `POST /v4/sandbox/reset` moves it back.',
    },
    [{ name: 'seconds', says: `must be a whole number from 1 to ${YEAR_SECONDS}`, holds: isAdvance }],
  )
  seconds: number;
}

function isAdvance(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= YEAR_SECONDS;
}

/** The account's clock in test mode: requeries, delays, expiries and `deliver_by` go by it. */
export class SandboxClockDto {
  @ApiProperty({ enum: ['sandbox_clock'] })
  object: 'sandbox_clock';
  now: Date;
  /** How far it is ahead of the time. @example 20 */
  offset_seconds: number;
  livemode: boolean;

  static of(offsetMs: number): SandboxClockDto {
    return {
      object: 'sandbox_clock',
      now: new Date(Date.now() + offsetMs),
      offset_seconds: Math.floor(offsetMs / 1_000),
      livemode: false,
    };
  }
}

export class TriggerEventDto {
  @OneOf(EVENT_TYPES)
  type: EventType;
}

export class SettleTransactionDto {
  @OneOf(SETTLEMENTS, {
    description: 'What the operator says from now on. `reversed` takes a successful purchase back.',
  })
  status: SettledAs;
}

export class SetOutageDto {
  @Text(64, { example: 'sandbox', description: 'A name from `providers` of `GET /v4/sandbox/scenarios`.' })
  provider: string;

  @OneOf(OUTAGE_MODES, {
    description:
      '`down`: it does not answer and loses what it is sent; `slow`: what it is sent arrives, no answer comes back; ' +
      '`flaky`: down every other time; `none`: ends the outage.',
  })
  mode: OutageMode;
}

/** How a provider fares in your test mode. */
export class SandboxOutageDto {
  @ApiProperty({ enum: ['sandbox_outage'] })
  object: 'sandbox_outage';
  /** @example "sandbox" */
  provider: string;
  @ApiProperty({ enum: OUTAGE_MODES })
  mode: OutageMode;
  livemode: boolean;
}

export class SandboxOutageListDto extends ListOf(SandboxOutageDto) {}

const Pattern = (pattern: string, says: string, example: string, description: string) =>
  field({ type: 'string', pattern, maxLength: 4, example, description }, [
    { name: 'pattern', says, holds: (value) => typeof value === 'string' && new RegExp(pattern).test(value) },
  ]);

/** Who is paid. */
export class SimulatedMerchantDto {
  @Text(100, { example: 'Corner Shop' })
  name: string;

  @Pattern('^[0-9]{4}$', 'must be four digits', '5411', 'Category, ISO 18245.')
  mcc: string;

  @Pattern('^[A-Z]{2}$', 'must be two capital letters', 'NG', 'ISO 3166-1 alpha-2.')
  country: string;
}

const isCurrencyCode = (value: unknown): boolean =>
  typeof value === 'string' && value === value.toUpperCase() && isISO4217CurrencyCode(value);

const DECIMAL = '^(?:0|[1-9][0-9]{0,11})(?:[.][0-9]{1,18})?$';

const Decimal = (options: FieldOptions) =>
  field(
    { type: 'string', pattern: DECIMAL, maxLength: 31 },
    [
      {
        name: 'decimal',
        says: 'must be a decimal number as text, with at most 12 digits before and 18 behind the point',
        holds: (value) => typeof value === 'string' && new RegExp(DECIMAL).test(value),
      },
    ],
    options,
  );

const FEES_MAX = 10;

export class AuthenticateCardDto {
  @Amount({ optional: true, max: TEST_AMOUNT_MAX, example: 1_250, description: 'Of what is to be paid, in cents.' })
  amount?: number | null;

  @Nested(() => SimulatedMerchantDto, { optional: true, description: 'A shop of the sandbox by default.' })
  merchant?: SimulatedMerchantDto | null;
}

export class SimulateCardDto {
  @OneOf(MESSAGE_KINDS, { description: 'What the card network does.' })
  kind: MessageKind;

  @Amount({
    optional: true,
    max: TEST_AMOUNT_MAX,
    example: 1_250,
    description:
      'Minor units (cents). Needed but for a clearing, a void and a refund of an authorization: without it they are ' +
      'of all that is left.',
  })
  amount?: number | null;

  @Nested(() => SimulatedMerchantDto, {
    optional: true,
    description: 'For an authorization and a decline; a shop of the sandbox by default.',
  })
  merchant?: SimulatedMerchantDto | null;

  @Amount({
    optional: true,
    max: TEST_AMOUNT_MAX,
    example: 1_937_500,
    description: 'What the merchant asks for, in minor units of its currency: what the issuer tells beside the amount.',
  })
  merchant_amount?: number | null;

  @field(
    { type: 'string', pattern: '^[A-Z]{3}$', maxLength: 3, example: 'NGN', description: 'ISO 4217.' },
    [{ name: 'iso4217', says: 'must be the three capital letters of a currency (ISO 4217)', holds: isCurrencyCode }],
    { optional: true },
  )
  merchant_currency?: string | null;

  @Decimal({
    optional: true,
    example: '0.00064516',
    description: "Units of the card's currency for one of the merchant's: a decimal number, as text.",
  })
  fx_rate?: string | null;

  @NestedList(() => IssuerFeeDto, {
    max: FEES_MAX,
    optional: true,
    description: 'What the issuer takes, as a part of the amount.',
  })
  fees?: IssuerFeeDto[] | null;

  @PublicId('ctx', {
    optional: true,
    description:
      'What a clearing, a void or a refund is about. A clearing of nothing takes what was never authorized, a refund ' +
      'of nothing brings what nobody knows to have been paid.',
  })
  card_transaction_id?: string | null;

  @OneOf(DECLINE_REASONS, {
    optional: true,
    description: 'For a decline; `merchant_declined` by default.',
    example: 'merchant_declined',
  })
  decline_reason?: DeclineReason | null;
}

export class PayVirtualAccountDto {
  @Amount({ max: TEST_AMOUNT_MAX, description: "Minor units of the account's currency that arrive." })
  amount: number;

  @Text(100, {
    optional: true,
    example: 'Ada Obi',
    description: 'Who pays. Some last names do something: `virtual_accounts` of `GET /v4/sandbox/scenarios`.',
  })
  payer_name?: string | null;
}

/** A transfer to a virtual account, as its payer's bank knows it. */
export class SandboxTransferDto {
  @ApiProperty({ enum: ['sandbox_transfer'] })
  object: 'sandbox_transfer';
  virtual_account_id: string;
  /** What became of it so far; null: its bank has told nobody yet. @example "dep_01kabcdefghjkmnpqrstvwxyz0" */
  deposit_id: string | null;
  /** What the bank calls it. */
  provider_reference: string;
  session_id: string;
  /** Minor units. */
  amount: number;
  currency: string;
  payer_name: string;
  livemode: boolean;
  created_at: Date;

  static of(transfer: SandboxTransfer, accountId: string): SandboxTransferDto {
    return {
      object: 'sandbox_transfer',
      virtual_account_id: accountId,
      deposit_id: transfer.depositId && encodeId('dep', transfer.depositId),
      provider_reference: transfer.reference,
      session_id: transfer.sessionId,
      amount: toJsonNumber(transfer.amount),
      currency: transfer.currency,
      payer_name: transfer.payerName,
      livemode: false,
      created_at: transfer.madeAt,
    };
  }
}

import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  AllowDuplicate,
  Amount,
  CurrencyCode,
  DryRun,
  Flag,
  Metadata,
  OneOf,
  PublicId,
  Reference,
} from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import type { Conversion } from './conversion.entity';
import { rateText } from './rate';
import { type Quote, SIDES, type Side } from './quote.entity';
import type { QuotedRate, SpreadContext } from './rates.service';

/** Which rates are asked for. */
export class RatesQuery {
  @CurrencyCode({ optional: true, description: 'What is sold.' })
  from?: Currency;

  @CurrencyCode({ optional: true, description: 'What is bought.' })
  to?: Currency;
}

const RATE = 'Units of the currency that is bought for one of that which is sold: a decimal number, as text.';

/** What a currency is quoted at now. A quote promises it. */
export class RateDto {
  @ApiProperty({ enum: ['rate'] })
  object: 'rate';
  @ApiProperty({ enum: CURRENCIES })
  from: Currency;
  @ApiProperty({ enum: CURRENCIES })
  to: Currency;
  @ApiProperty({ description: RATE, example: '1542.25' })
  rate: string;
  /** Since when it counts. */
  set_at: Date;
  /** From then on it is too old to be quoted, unless it is set anew; null: it stays. */
  valid_until: Date | null;

  static of(this: void, { fromCurrency, toCurrency, rate, setAt, until }: SpreadContext & QuotedRate): RateDto {
    return {
      object: 'rate',
      from: fromCurrency,
      to: toCurrency,
      rate: rateText(rate),
      set_at: setAt,
      valid_until: until,
    };
  }
}

/** All rates that were asked for, on one page. */
export class RateListDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';
  @ApiProperty({ type: () => [RateDto] })
  data: RateDto[];
}

export class CreateQuoteDto {
  @CurrencyCode({ description: 'What you sell.' })
  from_currency: Currency;

  @CurrencyCode({ description: 'What you buy.' })
  to_currency: Currency;

  @Amount({ description: 'Minor units of the currency that you sell, or buy, as `side` says.' })
  amount: number;

  @OneOf(SIDES, {
    optional: true,
    description: 'Whether `amount` is what you sell or what you buy; `sell` by default.',
  })
  side?: Side | null;
}

/** What a conversion costs, promised until `expires_at` and good for one. Amounts in minor units. */
export class QuoteDto {
  @ApiProperty({ enum: ['quote'] })
  object: 'quote';
  /** @example "qte_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: CURRENCIES })
  from_currency: Currency;
  @ApiProperty({ enum: CURRENCIES })
  to_currency: Currency;
  @ApiProperty({ enum: SIDES })
  side: Side;
  @ApiProperty({ description: RATE, example: '1542.25' })
  rate: string;
  sell_amount: number;
  buy_amount: number;
  /** In the currency that is sold. */
  fee: number;
  /** What leaves the wallet: `sell_amount + fee`. */
  total: number;
  /** For people, never to be parsed. @example "USD 10.00" */
  sell_display: string;
  /** For people, never to be parsed. @example "NGN 15,422.50" */
  buy_display: string;
  /** The conversion or the transaction that used it. @example "cnv_01kabcdefghjkmnpqrstvwxyz0" */
  used_by: string | null;
  livemode: boolean;
  created_at: Date;
  expires_at: Date;

  static of(this: void, q: Readonly<Quote>): QuoteDto {
    return {
      id: encodeId('qte', q.id),
      object: 'quote',
      from_currency: q.fromCurrency,
      to_currency: q.toCurrency,
      side: q.side,
      rate: q.rate,
      sell_amount: toJsonNumber(q.sellAmount),
      buy_amount: toJsonNumber(q.buyAmount),
      fee: toJsonNumber(q.fee),
      total: toJsonNumber(q.sellAmount + q.fee),
      sell_display: displayMoney({ amount: q.sellAmount, currency: q.fromCurrency }),
      buy_display: displayMoney({ amount: q.buyAmount, currency: q.toCurrency }),
      used_by: q.usedBy && encodeId(q.usedByResource!, q.usedBy),
      livemode: q.livemode,
      created_at: timeOf(q.id),
      expires_at: q.expiresAt,
    };
  }
}

export class CreateConversionDto {
  @PublicId('qte', { description: 'A quote that is still good.' })
  quote_id: string;

  @PublicId('wal', { description: 'Your wallet that pays what is sold.' })
  from_wallet: string;

  @PublicId('wal', { description: 'Your wallet that gets what is bought.' })
  to_wallet: string;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** `quote_id` of what may be paid from a wallet of another currency. */
export const QuoteToPayBy = () =>
  PublicId('qte', {
    optional: true,
    description:
      'Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.',
  });

/** `convert` of what may be paid from a wallet of another currency. */
export const Convert = () =>
  Flag({
    optional: true,
    example: false,
    description: 'Pay from a wallet of another currency, at the rate of this moment.',
  });

/** The two records of a conversion. */
export class ConversionTransactionsDto {
  /** @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  debit: string | null;
  credit: string | null;
}

/** Money of one currency that became money of another. Final at once. Amounts in minor units. */
export class ConversionDto {
  @ApiProperty({ enum: ['conversion'] })
  object: 'conversion';
  /** Null in a dry run. @example "cnv_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: ['successful'] })
  status: 'successful';
  quote_id: string;
  from_wallet: string;
  to_wallet: string;
  @ApiProperty({ enum: CURRENCIES })
  from_currency: Currency;
  @ApiProperty({ enum: CURRENCIES })
  to_currency: Currency;
  @ApiProperty({ description: RATE, example: '1542.25' })
  rate: string;
  sell_amount: number;
  buy_amount: number;
  /** In the currency that was sold. */
  fee: number;
  reference: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  transactions: ConversionTransactionsDto;
  livemode: boolean;
  created_at: Date;
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('LedgerLineDto') },
    required: false,
    description: 'Only in a dry run: what the ledger would write.',
  })
  ledger?: object[];

  static of(this: void, c: Readonly<Conversion>): ConversionDto {
    return {
      id: encodeId('cnv', c.id),
      object: 'conversion',
      status: 'successful',
      quote_id: encodeId('qte', c.quoteId),
      from_wallet: encodeId('wal', c.fromWalletId),
      to_wallet: encodeId('wal', c.toWalletId),
      from_currency: c.fromCurrency,
      to_currency: c.toCurrency,
      rate: c.rate,
      sell_amount: toJsonNumber(c.sellAmount),
      buy_amount: toJsonNumber(c.buyAmount),
      fee: toJsonNumber(c.fee),
      reference: c.reference,
      metadata: c.metadata,
      transactions: { debit: encodeId('txn', c.debitTransactionId), credit: encodeId('txn', c.creditTransactionId) },
      livemode: c.livemode,
      created_at: timeOf(c.id),
    };
  }

  static ofPreview(conversion: Conversion, ledger: object[]): ConversionDto {
    return { ...ConversionDto.of(conversion), id: null, transactions: { debit: null, credit: null }, ledger };
  }
}

export class ConversionListDto extends ListOf(ConversionDto) {}

import { ApiProperty } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency, sumToJsonNumber, toJsonNumber } from '../../core/money/money';
import type { WalletDay } from './wallet-day';

/** A wallet's day, closed: it never changes. Minor units. */
export class WalletDayDto {
  @ApiProperty({ enum: ['day'] })
  object: 'day';
  /** @example "day_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  wallet_id: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** By the calendar, which no test clock moves. @example "2026-11-01" */
  date: string;
  /** The midnight that ended it, in the time zone that the account had. @example "2026-11-01T23:00:00.000Z" */
  ends_at: string;
  /** Number of the wallet's last ledger entry in it, or in a day before. @example 42 */
  through_sequence: number;
  /** Available and held together, at its beginning: the `closing` of the day before. */
  opening: number;
  /** What came. Null: more than a number holds; the lines of the statement sum up to it. */
  total_in: number | null;
  /** What went, fees included. Null likewise. */
  total_out: number | null;
  /** `opening` + `total_in` − `total_out`. */
  closing: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { deposit: 1, transfer_out: 3 },
    description: 'How many lines of the statement there are, by the type of their transaction.',
  })
  counts: Record<string, number>;
  /** Of the day before; zeros for the first. */
  previous_hash: string;
  /** SHA-256 over `previous_hash` and all that the day says: a chain that `verify:ledger` computes again. */
  hash: string;
  livemode: boolean;
  /** When it was closed. */
  created_at: Date;

  static of(this: void, day: WalletDay): WalletDayDto {
    return {
      object: 'day',
      id: encodeId('day', day.id),
      wallet_id: encodeId('wal', day.walletId),
      currency: day.currency,
      date: day.date,
      ends_at: day.endsAt.toISOString(),
      through_sequence: toJsonNumber(day.throughSeq),
      opening: toJsonNumber(day.opening),
      total_in: sumToJsonNumber(day.totalIn),
      total_out: sumToJsonNumber(day.totalOut),
      closing: toJsonNumber(day.closing),
      counts: day.counts,
      previous_hash: day.previousHash.toString('hex'),
      hash: day.hash.toString('hex'),
      livemode: day.livemode,
      created_at: timeOf(day.id),
    };
  }
}

export class WalletDayListDto extends ListOf(WalletDayDto) {}

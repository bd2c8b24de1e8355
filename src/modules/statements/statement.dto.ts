import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ReadWith } from '../../core/http/dto';
import { field, OneOf } from '../../core/http/fields';
import { parseTime } from '../../core/http/query-fields';
import { CURRENCIES, type Currency } from '../../core/money/money';
import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';

/** `2026-11-01` */
export const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day of the account's calendar, as text, or a moment. */
export type DayOrMoment = string | Date;

/** `2026-11-01` stays text: which moment it is, depends on the account's time zone. */
export const DayOrTime = (description: string, { optional = false } = {}) =>
  applyDecorators(
    ReadWith((value) => {
      const time = parseTime(value);
      return time === null || DAY.test(value as string) ? value : time;
    }),
    field(
      { type: 'string', pattern: '^[0-9TZ:.+ -]{10,40}$', maxLength: 40, example: '2026-11-01', description },
      [
        {
          name: 'dayOrTime',
          says: 'must be a day like 2026-11-01, or a time like 2026-11-01T00:00:00.000Z or 2026-11-01T01:00:00+01:00',
          holds: (value) => value instanceof Date || parseTime(value) !== null,
        },
      ],
      { optional },
    ),
  );

const FORMATS = ['json', 'csv', 'pdf'] as const;

export class StatementQuery {
  @DayOrTime(
    'First day, in the time zone of the account, or the moment of the beginning. Default: when the wallet was made.',
    { optional: true },
  )
  from?: DayOrMoment;

  @DayOrTime('Last day, in the time zone of the account, or the moment before which it ends. Default: now.', {
    optional: true,
  })
  to?: DayOrMoment;

  @OneOf(FORMATS, { optional: true, description: '`csv` has decimals, for spreadsheets; `pdf` is for people.' })
  format?: (typeof FORMATS)[number];
}

/** What a transaction did to a wallet. Minor units. */
export class StatementLineDto {
  /** When the money came or went. */
  at: Date;
  /** @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  transaction_id: string;
  @ApiProperty({ enum: TRANSACTION_TYPES })
  type: TransactionType;
  /** For people, never to be parsed. @example "Airtime, MTN" */
  description: string;
  /** The wallet on the other side. */
  counterparty: string | null;
  /** As the transaction has it. @example "+2348031234567" */
  recipient: string | null;
  reference: string | null;
  /** What came; 0 when money went. */
  in: number;
  /** What went, fee included; 0 when money came. */
  out: number;
  /** Available and held together, after this line: holding money, or giving it back, is no line. */
  balance: number;
}

/** What happened to the money of a wallet in a period, a line per transaction. Minor units. */
export class StatementDto {
  @ApiProperty({ enum: ['statement'] })
  object: 'statement';
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  wallet_id: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** In which days begin. @example "Africa/Lagos" */
  time_zone: string;
  /** At or after. */
  from: Date;
  /** Before. */
  to: Date;
  livemode: boolean;
  /** All of its days are closed: it will be the same for ever. */
  closed: boolean;
  /** Available and held together, at the beginning. */
  opening: number;
  /** The same at the end: `opening` + `total_in` − `total_out`. */
  closing: number;
  @ApiProperty({ type: () => [StatementLineDto], description: 'Oldest first.' })
  data: StatementLineDto[];
  /** Null: more than a number holds; the lines sum up to it. */
  total_in: number | null;
  /** Likewise. */
  total_out: number | null;
  @ApiProperty({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description:
      'SHA-256 of what counts, the same in each format: a line `wallet_id|currency|from|to|opening`, one ' +
      '`transaction_id|at|in|out|balance` for each of `data`, and `closing`, each ended by a line feed.',
  })
  hash: string;
}

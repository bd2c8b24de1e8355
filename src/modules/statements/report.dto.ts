import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, Nested, OneOf, PublicId } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { ManyOf, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, toJsonNumber } from '../../core/money/money';
import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';
import {
  type Report,
  REPORT_FORMATS,
  REPORT_KINDS,
  REPORT_STATUSES,
  type ReportFormat,
  type ReportKind,
  type ReportStatus,
} from './report.entity';
import { type DayOrMoment, DayOrTime } from './statement.dto';

const KINDS =
  '`transactions`: every line of every statement. `settlements`: what was collected by payments and virtual ' +
  'accounts, and what of it went back. `fees`, `commissions`: what was charged, and earned. `payouts`: what went to ' +
  'banks.';

class ReportFiltersDto {
  @PublicId('wal', { optional: true, description: 'Of this wallet only.' })
  wallet_id?: string | null;

  @CurrencyCode({ optional: true })
  currency?: Currency | null;

  @OneOf(TRANSACTION_TYPES, { optional: true, example: 'airtime_purchase' })
  type?: TransactionType | null;
}

export class CreateReportDto {
  @OneOf(REPORT_KINDS, { example: 'transactions', description: KINDS })
  kind: ReportKind;

  @DayOrTime('First day, in the time zone of the account, or the moment of the beginning.')
  from: DayOrMoment;

  @DayOrTime('Last day, in the time zone of the account, or the moment before which it ends.')
  to: DayOrMoment;

  @OneOf(REPORT_FORMATS, {
    optional: true,
    example: 'csv',
    description: '`csv` (the default) has decimals, for spreadsheets; `json` is a list with minor units.',
  })
  format?: ReportFormat | null;

  @Nested(() => ReportFiltersDto, { optional: true, example: { currency: 'NGN' } })
  filters?: ReportFiltersDto | null;
}

export class ReportsQuery extends PageQuery {
  @ManyOf(REPORT_KINDS)
  kind?: ReportKind[];

  @ManyOf(REPORT_STATUSES)
  status?: ReportStatus[];
}

export class ShownFiltersDto {
  wallet_id: string | null;
  @ApiProperty({ enum: CURRENCIES, nullable: true })
  currency: Currency | null;
  @ApiProperty({ enum: TRANSACTION_TYPES, nullable: true })
  type: TransactionType | null;
}

/** What happened in all wallets, made into a file. */
export class ReportDto {
  @ApiProperty({ enum: ['report'] })
  object: 'report';
  /** @example "rpt_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: REPORT_KINDS })
  kind: ReportKind;
  @ApiProperty({ enum: REPORT_FORMATS })
  format: ReportFormat;
  /** A day of the account, or a moment. @example "2026-11-01" */
  from: string;
  /** @example "2026-11-30" */
  to: string;
  filters: ShownFiltersDto;
  @ApiProperty({
    enum: REPORT_STATUSES,
    description:
      '`ready`: there is a file; `failed`: none could be made; `expired`: it was removed. Ask for a new one.',
  })
  status: ReportStatus;
  /** All of its days are closed: asked for again it will have the same bytes. Null until it was made, as all below. */
  closed: boolean | null;
  /** Without the header. */
  rows: number | null;
  /** Of the file. */
  bytes: number | null;
  /** Of the file, in hexadecimal. */
  sha256: string | null;
  /** When the file is removed. */
  expires_at: Date | null;
  /** Grows by one with each change. */
  version: number;
  livemode: boolean;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;

  static of(this: void, r: Report): ReportDto {
    const { walletId, currency, type } = r.filters;
    return {
      object: 'report',
      id: encodeId('rpt', r.id),
      kind: r.kind,
      format: r.format,
      from: r.from,
      to: r.to,
      filters: {
        wallet_id: walletId === undefined ? null : encodeId('wal', walletId),
        currency: currency ?? null,
        type: type ?? null,
      },
      status: r.status,
      closed: r.isClosed,
      rows: r.rows,
      bytes: r.bytes === null ? null : toJsonNumber(r.bytes),
      sha256: r.digest?.toString('hex') ?? null,
      expires_at: r.expiresAt,
      version: r.version,
      livemode: r.livemode,
      created_at: timeOf(r.id),
      updated_at: r.updatedAt,
      completed_at: r.completedAt,
    };
  }
}

export class ReportListDto extends ListOf(ReportDto) {}

/** Whoever has it has the file, with or without a key. */
export class ReportLinkDto {
  @ApiProperty({ enum: ['report_link'] })
  object: 'report_link';
  /** @example "rpt_01kabcdefghjkmnpqrstvwxyz0" */
  report_id: string;
  /** @example "https://api.example.com/reports/download/AZ3…" */
  url: string;
  /** 15 minutes later, or when the file is removed. */
  expires_at: Date;
  livemode: boolean;
}

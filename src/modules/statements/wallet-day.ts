import type { Currency } from '../../core/money/money';
import type { TransactionType } from '../../vocabulary/products';

/** A wallet's day, closed: it never changes. Amounts in minor units, available and held money together. */
export interface WalletDay {
  readonly accountId: string;
  readonly livemode: boolean;
  /** UUIDv7: also the time at which it was closed. */
  readonly id: string;
  readonly walletId: string;
  readonly currency: Currency;
  /** `2026-11-01` */
  readonly date: string;
  readonly endsAt: Date;
  /** Number of the last entry that is in it, or in a day before. */
  readonly throughSeq: bigint;
  readonly opening: bigint;
  readonly totalIn: bigint;
  readonly totalOut: bigint;
  readonly closing: bigint;
  readonly counts: Partial<Record<TransactionType, number>>;
  /** Of the day before; zeros before the first. */
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

export interface DayRow {
  readonly account_id: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly wallet_id: string;
  readonly currency: Currency;
  readonly date: string;
  readonly ends_at: Date;
  readonly through_seq: string;
  readonly opening: string;
  readonly total_in: string;
  readonly total_out: string;
  readonly closing: string;
  readonly counts: WalletDay['counts'];
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}

export const toWalletDay = (row: DayRow): WalletDay => ({
  accountId: row.account_id,
  livemode: row.livemode,
  id: row.id,
  walletId: row.wallet_id,
  currency: row.currency,
  date: row.date,
  endsAt: row.ends_at,
  throughSeq: BigInt(row.through_seq),
  opening: BigInt(row.opening),
  totalIn: BigInt(row.total_in),
  totalOut: BigInt(row.total_out),
  closing: BigInt(row.closing),
  counts: row.counts,
  previousHash: row.previous_hash,
  hash: row.hash,
});

/** What comes before the first day of a wallet. */
export const NO_DAY_HASH = `decode(repeat('00', 32), 'hex')`;

/** What the hash of a day of `wallet_days` must be: of the hash before and of all that the day says. */
export const dayHash = (day: string): string => `
  sha256(${day}.previous_hash || convert_to(concat_ws('|', ${day}.account_id, ${day}.livemode, ${day}.wallet_id,
    ${day}.id, to_char(${day}.date, 'YYYY-MM-DD'),
    trim_scale(extract(epoch FROM ${day}.ends_at) * 1000), ${day}.through_seq,
    coalesce(trim_scale(extract(epoch FROM ${day}.through_at) * 1000)::text, ''), ${day}.opening, ${day}.total_in,
    ${day}.total_out, ${day}.closing, ${day}.counts::text), 'UTF8'))`;

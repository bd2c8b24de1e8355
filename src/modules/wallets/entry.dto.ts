import { ApiProperty } from '@nestjs/swagger';
import { OneOf } from '../../core/http/fields';
import { encodeId } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, PageQuery } from '../../core/http/query-fields';
import type { Currency } from '../../core/money/currencies';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import type { LedgerEntry } from '../ledger/entries.service';
import type { WalletRecord } from './wallets.service';

export class EntriesQuery extends PageQuery {
  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;

  @OneOf(['json', 'csv'], { optional: true, description: '`csv` streams the whole statement instead of a page.' })
  format?: 'json' | 'csv';
}

/** One line of a wallet's statement. Minor units. */
export class EntryDto {
  @ApiProperty({ enum: ['entry'] })
  object: 'entry';
  /** Wallet id and the number of the entry in it. @example "wal_01kabcdefghjkmnpqrstvwxyz0:42" */
  id: string;
  wallet_id: string;
  /** Numbers a wallet's entries without gaps, from 1. @example 42 */
  sequence: number;
  /** Which part of the balance changed. */
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed: negative left the bucket. @example -5000 */
  amount: number;
  currency: Currency;
  amount_display: string;
  /** The bucket's balance after this entry. @example 100000 */
  balance_after: number;
  transaction_id: string | null;
  livemode: boolean;
  created_at: Date;

  static of(entry: LedgerEntry, { currency, livemode }: WalletRecord): EntryDto {
    const walletId = encodeId('wal', entry.ledgerAccountId);
    return {
      id: `${walletId}:${entry.seq}`,
      object: 'entry',
      wallet_id: walletId,
      sequence: toJsonNumber(entry.seq),
      bucket: entry.bucket,
      amount: toJsonNumber(entry.amount),
      currency,
      amount_display: displayMoney({ amount: entry.amount, currency }),
      balance_after: toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter),
      transaction_id: entry.transactionId && encodeId('txn', entry.transactionId),
      livemode,
      created_at: entry.createdAt,
    };
  }

  static async *stream(entries: AsyncIterable<LedgerEntry>, wallet: WalletRecord): AsyncGenerator<EntryDto> {
    for await (const entry of entries) yield EntryDto.of(entry, wallet);
  }
}

export class EntryListDto extends ListOf(EntryDto) {}

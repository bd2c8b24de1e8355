import { Injectable } from '@nestjs/common';
import { everyRow, type Position } from '../../core/http/pages';
import { type EntryRange, LedgerEntriesService, type LedgerEntry } from '../ledger/entries.service';
import type { WalletRecord } from './wallets.service';

export interface StatementRange {
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

/** A wallet's history, read from the ledger. */
@Injectable()
export class StatementsService {
  constructor(private readonly entries: LedgerEntriesService) {}

  /** Newest first, from behind `after` (the `positionOf` an entry). */
  page(wallet: WalletRecord, range: StatementRange, after: Position | null, take: number): Promise<LedgerEntry[]> {
    const { created_gte: from = new Date(0), created_lt: before = new Date('9999-01-01') } = range;
    const start: EntryRange = after
      ? { from, before: new Date(after[0]!), seq: BigInt(after[1]!) }
      : { from, before, seq: 0n };
    return this.entries.page(refOf(wallet), start, take);
  }

  /** The whole statement, newest first. */
  stream(wallet: WalletRecord, range: StatementRange): AsyncGenerator<LedgerEntry> {
    return everyRow((after: Position | null, take) => this.page(wallet, range, after, take), positionOf);
  }

  /** The wallet with its balances as they stood at a moment. */
  async at(wallet: WalletRecord, at: Date): Promise<WalletRecord> {
    return { ...wallet, ...(await this.entries.balancesAt(refOf(wallet), at)) };
  }
}

export const positionOf = ({ createdAt, seq }: LedgerEntry): Position => [createdAt.toISOString(), seq.toString()];

const refOf = ({ accountId, id }: WalletRecord) => ({ accountId, ledgerAccountId: id });
